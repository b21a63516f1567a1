package org.fleetgrad.store;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;
import org.fleetgrad.files.text.ShownAddress;
import org.jspecify.annotations.Nullable;

/**
 * The settings of an S3 service in the environment: {@code S3_ENDPOINT}, {@code S3_REGION}, and the keys or their
 * files.
 */
public final class S3Environment {

    private static final String EXAMPLE = "such as http://127.0.0.1:9000";

    private final String location;
    private final Function<String, @Nullable String> environment;

    /**
     * Makes a reader of variables.
     *
     * @param location    the location that needs them, for messages
     * @param environment returns the value of a variable, or null if it is not set
     */
    public S3Environment(String location, Function<String, @Nullable String> environment) {
        this.location = location;
        this.environment = environment;
    }

    /**
     * Returns the service's address.
     *
     * @throws IllegalArgumentException if it is not set, or is not an address
     */
    public URI endpoint() {
        String text = find("S3_ENDPOINT")
                .orElseThrow(() -> new IllegalArgumentException(
                        "%s needs S3_ENDPOINT, the address of the S3 service, %s".formatted(location, EXAMPLE)));
        if (!text.matches("https?://[^/?#@\\s]+/?")) {
            throw new IllegalArgumentException(
                    "S3_ENDPOINT must be an http or https address without a path, %s; it is '%s'"
                            .formatted(EXAMPLE, ShownAddress.of(text)));
        }
        return URI.create(text);
    }

    /** Returns the region of the bucket. */
    public String region() {
        return find("S3_REGION").orElse(S3Store.DEFAULT_REGION);
    }

    /**
     * Returns the keys.
     *
     * @throws IllegalArgumentException if one of them is not set, or its file cannot be read
     */
    public S3Credentials credentials() {
        return new S3Credentials(key("S3_ACCESS_KEY"), key("S3_SECRET_KEY"));
    }

    private String key(String variable) {
        Optional<String> value = find(variable);
        if (value.isPresent()) {
            return value.get();
        }
        String file = find(variable + "_FILE")
                .orElseThrow(() -> new IllegalArgumentException(
                        "%s needs %s, or the name of its file in %s_FILE".formatted(location, variable, variable)));
        try {
            String key = Files.readString(Path.of(file)).strip();
            if (!key.isEmpty()) {
                return key;
            }
        } catch (IOException unreadable) {
            throw new IllegalArgumentException(
                    "the file of %s_FILE cannot be read: %s".formatted(variable, unreadable), unreadable);
        }
        throw new IllegalArgumentException("the file of %s_FILE, %s, is empty".formatted(variable, file));
    }

    private Optional<String> find(String variable) {
        return Optional.ofNullable(environment.apply(variable)).filter(value -> !value.isBlank());
    }
}
