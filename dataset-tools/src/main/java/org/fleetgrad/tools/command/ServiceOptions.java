package org.fleetgrad.tools.command;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that name an S3 service and its keys. An option overrides its environment variable. */
final class ServiceOptions {

    @Option(names = "--endpoint", paramLabel = "URL", description = "Address of the S3 service (default: S3_ENDPOINT).")
    private @Nullable String endpoint;

    @Option(names = "--region", description = "Region of the bucket (default: S3_REGION, or us-east-1).")
    private @Nullable String region;

    @Option(
            names = "--access-key",
            paramLabel = "KEY",
            description = "Access key (default: --access-key-file, S3_ACCESS_KEY or S3_ACCESS_KEY_FILE).")
    private @Nullable String accessKey;

    @Option(
            names = "--secret-key",
            paramLabel = "KEY",
            description = "Secret key (default: --secret-key-file, S3_SECRET_KEY or S3_SECRET_KEY_FILE).")
    private @Nullable String secretKey;

    @Option(names = "--access-key-file", paramLabel = "FILE", description = "File with the access key.")
    private @Nullable Path accessKeyFile;

    @Option(names = "--secret-key-file", paramLabel = "FILE", description = "File with the secret key.")
    private @Nullable Path secretKeyFile;

    boolean hasEndpoint() {
        return endpoint != null;
    }

    /** Returns the value of the option that overrides an environment variable, or of the variable; null if neither is set. */
    @Nullable
    String variable(String name) {
        return switch (name) {
            case "S3_ENDPOINT" -> either(endpoint, name);
            case "S3_REGION" -> either(region, name);
            case "S3_ACCESS_KEY" -> key(accessKey, accessKeyFile, name);
            case "S3_SECRET_KEY" -> key(secretKey, secretKeyFile, name);
            case "S3_ACCESS_KEY_FILE" -> either(text(accessKeyFile), name);
            case "S3_SECRET_KEY_FILE" -> either(text(secretKeyFile), name);
            default -> System.getenv(name);
        };
    }

    private static @Nullable String either(@Nullable String option, String variable) {
        return option == null ? System.getenv(variable) : option;
    }

    /** The file that an option names overrides the key in a variable. */
    private static @Nullable String key(@Nullable String option, @Nullable Path file, String variable) {
        return file == null ? either(option, variable) : option;
    }

    private static @Nullable String text(@Nullable Path path) {
        return path == null ? null : path.toString();
    }
}
