package org.fleetgrad.tools.command;

import java.nio.file.Path;
import org.fleetgrad.store.FolderStore;
import org.fleetgrad.store.ObjectStore;
import org.fleetgrad.store.S3Environment;
import org.fleetgrad.store.S3Store;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that name a store: a folder, or a bucket. */
final class StoreOptions {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--to",
            paramLabel = "DIR",
            description = "Target of the shards: this folder, in place of a bucket.")
    private @Nullable Path folder;

    @Option(names = "--bucket", description = "Bucket of the S3 service.")
    private @Nullable String bucket;

    @Mixin
    private final ServiceOptions service = new ServiceOptions();

    /** Opens the store; sends nothing to a bucket yet. */
    ObjectStore open() {
        boolean isBucket = bucket != null || service.hasEndpoint();
        if ((folder != null) == isBucket) {
            throw new ParameterException(
                    spec.commandLine(), "pass either --to DIR, or --bucket with --endpoint URL (or S3_ENDPOINT)");
        }
        if (folder != null) {
            return new FolderStore(folder);
        }
        if (bucket == null) {
            throw new ParameterException(spec.commandLine(), "--endpoint needs --bucket");
        }
        try {
            S3Environment environment = new S3Environment("the bucket " + bucket, service::variable);
            return new S3Store(environment.endpoint(), environment.region(), bucket, environment.credentials());
        } catch (IllegalArgumentException invalid) {
            throw new ParameterException(spec.commandLine(), String.valueOf(invalid.getMessage()), invalid);
        }
    }
}
