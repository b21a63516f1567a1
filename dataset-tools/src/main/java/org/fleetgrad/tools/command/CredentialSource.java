package org.fleetgrad.tools.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;
import org.fleetgrad.store.Credentials;
import org.jspecify.annotations.Nullable;

/** Finds the keys for a bucket: an option first, then a file, then the environment. */
final class CredentialSource {

    private final Function<String, @Nullable String> environment;

    CredentialSource(Function<String, @Nullable String> environment) {
        this.environment = environment;
    }

    /** Returns the keys; one that is nowhere is an {@link IllegalArgumentException} that says where to put it. */
    Credentials resolve(
            @Nullable String accessKey,
            @Nullable Path accessKeyFile,
            @Nullable String secretKey,
            @Nullable Path secretKeyFile)
            throws IOException {
        return new Credentials(
                find("access-key", "S3_ACCESS_KEY", accessKey, accessKeyFile),
                find("secret-key", "S3_SECRET_KEY", secretKey, secretKeyFile));
    }

    private String find(String option, String variable, @Nullable String given, @Nullable Path file)
            throws IOException {
        if (given != null) {
            return given;
        }
        if (file != null) {
            return Files.readString(file).strip();
        }
        String value = environment.apply(variable);
        if (value == null) {
            throw new IllegalArgumentException("the %s is missing: pass --%s or --%s-file, or set %s"
                    .formatted(option.replace('-', ' '), option, option, variable));
        }
        return value;
    }
}
