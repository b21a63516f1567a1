package org.fleetgrad.spring;

import java.nio.file.Path;
import java.util.Optional;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.Credentials;
import org.fleetgrad.client.Credentials.KeySetting;
import org.fleetgrad.files.pem.PemTrust;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * The access to the parameter server, {@code fleetgrad.*}. Separate from the other settings, so that printing those never
 * shows a key.
 *
 * @param accessKey     names the role, such as reader; only for a server with keys
 * @param accessKeyFile file with the access key, in place of it
 * @param secretKey     proves the role
 * @param secretKeyFile file with the secret key, in place of it
 * @param trust         PEM file with the certificates to trust over https, in place of the JDK's
 */
@ConfigurationProperties("fleetgrad")
public record FleetgradAccess(
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
                        new KeySetting("fleetgrad.access-key", accessKey, "fleetgrad.access-key-file", accessKeyFile),
                        new KeySetting("fleetgrad.secret-key", secretKey, "fleetgrad.secret-key-file", secretKeyFile)));
    }

    @Override
    public String toString() {
        return "FleetgradAccess[hidden]";
    }
}
