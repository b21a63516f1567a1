package org.fleetgrad.tools.command;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which S3 service a command speaks to, and as whom: options first, then the environment. */
final class ServiceOptions {

    @Option(names = "--endpoint", paramLabel = "URL", description = "Address of an S3 service; else S3_ENDPOINT.")
    private @Nullable String endpoint;

    @Option(names = "--region", description = "Region of the bucket; else S3_REGION, or us-east-1.")
    private @Nullable String region;

    @Option(
            names = "--access-key",
            paramLabel = "KEY",
            description = "Access key; else the file, S3_ACCESS_KEY or S3_ACCESS_KEY_FILE.")
    private @Nullable String accessKey;

    @Option(
            names = "--secret-key",
            paramLabel = "KEY",
            description = "Secret key; else the file, S3_SECRET_KEY or S3_SECRET_KEY_FILE.")
    private @Nullable String secretKey;

    @Option(names = "--access-key-file", paramLabel = "FILE", description = "File that holds the access key.")
    private @Nullable Path accessKeyFile;

    @Option(names = "--secret-key-file", paramLabel = "FILE", description = "File that holds the secret key.")
    private @Nullable Path secretKeyFile;

    boolean hasEndpoint() {
        return endpoint != null;
    }

    /** Returns the value of an environment variable, or of the option in its place; null where neither is set. */
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

    /** A file that an option names stands before a key that a variable holds. */
    private static @Nullable String key(@Nullable String option, @Nullable Path file, String variable) {
        return file == null ? either(option, variable) : option;
    }

    private static @Nullable String text(@Nullable Path path) {
        return path == null ? null : path.toString();
    }
}
