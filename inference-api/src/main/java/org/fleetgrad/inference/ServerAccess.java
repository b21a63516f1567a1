package org.fleetgrad.inference;

import java.nio.file.Path;
import java.util.Optional;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.Credentials;
import org.fleetgrad.client.Credentials.KeySetting;
import org.fleetgrad.files.pem.PemTrust;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * The access to the parameter server, {@code inference.*}: the keys of an evaluator or an operator, each directly or in
 * a file, and a PEM file with the certificates to trust. Separate from the other settings, so that printing those never
 * shows a key.
 */
@ConfigurationProperties("inference")
record ServerAccess(
        @Nullable String accessKey,
        @Nullable String accessKeyFile,
        @Nullable String secretKey,
        @Nullable String secretKeyFile,
        @Nullable String trust) {

    /** Reads the files and checks the values; {@link IllegalArgumentException} says what is valid. */
    ClientOptions read() {
        return ClientOptions.DEFAULT.withSecurity(
                trust == null || trust.isEmpty() ? Optional.empty() : Optional.of(PemTrust.context(Path.of(trust))),
                Credentials.of(
                        new KeySetting("inference.access-key", accessKey, "inference.access-key-file", accessKeyFile),
                        new KeySetting("inference.secret-key", secretKey, "inference.secret-key-file", secretKeyFile)));
    }

    @Override
    public String toString() {
        return "ServerAccess[hidden]";
    }
}
