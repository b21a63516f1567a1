package org.fleetgrad.tools.command;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import org.fleetgrad.store.FolderStore;
import org.fleetgrad.store.ObjectStore;
import org.fleetgrad.store.S3Store;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Which store a command works on: a folder, or a bucket. */
final class StoreOptions {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--to", paramLabel = "DIR", description = "Folder that stands for a bucket.")
    private @Nullable Path folder;

    @Option(names = "--endpoint", paramLabel = "URL", description = "Address of an S3 service.")
    private @Nullable URI endpoint;

    @Option(names = "--bucket", description = "Bucket of the S3 service.")
    private @Nullable String bucket;

    @Option(
            names = "--region",
            defaultValue = S3Store.DEFAULT_REGION,
            description = "Region of the bucket (default: ${DEFAULT-VALUE}).")
    private String region = S3Store.DEFAULT_REGION;

    @Option(names = "--access-key", paramLabel = "KEY", description = "Access key; else S3_ACCESS_KEY or the file.")
    private @Nullable String accessKey;

    @Option(names = "--secret-key", paramLabel = "KEY", description = "Secret key; else S3_SECRET_KEY or the file.")
    private @Nullable String secretKey;

    @Option(names = "--access-key-file", paramLabel = "FILE", description = "File that holds the access key.")
    private @Nullable Path accessKeyFile;

    @Option(names = "--secret-key-file", paramLabel = "FILE", description = "File that holds the secret key.")
    private @Nullable Path secretKeyFile;

    /** Opens the store; for a bucket nothing is sent yet. */
    ObjectStore open() throws IOException {
        if ((folder == null) == (endpoint == null)) {
            throw new ParameterException(spec.commandLine(), "pass either --to DIR or --endpoint URL with --bucket");
        }
        if (folder != null) {
            return new FolderStore(folder);
        }
        return bucket();
    }

    private S3Store bucket() throws IOException {
        if (endpoint == null || bucket == null) {
            throw new ParameterException(spec.commandLine(), "--endpoint needs --bucket");
        }
        try {
            CredentialSource source = new CredentialSource(System::getenv);
            return new S3Store(
                    endpoint, region, bucket, source.resolve(accessKey, accessKeyFile, secretKey, secretKeyFile));
        } catch (IllegalArgumentException invalid) {
            throw new ParameterException(spec.commandLine(), String.valueOf(invalid.getMessage()), invalid);
        }
    }
}
