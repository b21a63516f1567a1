package org.fleetgrad.inference;

import java.nio.file.Path;
import java.util.Optional;
import org.fleetgrad.client.ClientEnvironment;
import org.fleetgrad.client.Credentials;
import org.fleetgrad.client.KeySetting;
import org.fleetgrad.client.Trust;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * What opens the parameter server to this service, {@code inference.*}. Apart from the other settings, so that no key is
 * ever among them where they are shown.
 *
 * @param accessKey     names the role, which must be evaluator or operator
 * @param accessKeyFile holds it
 * @param secretKey     proves it
 * @param secretKeyFile holds it
 * @param trust         PEM file of the certificates to trust; the JDK's where it is absent
 */
@ConfigurationProperties("inference")
record ServerAccess(
        @Nullable String accessKey,
        @Nullable String accessKeyFile,
        @Nullable String secretKey,
        @Nullable String secretKeyFile,
        @Nullable String trust) {

    /** Reads files and checks; {@link IllegalArgumentException} says what to write instead. */
    ClientEnvironment read() {
        return new ClientEnvironment(
                Credentials.of(
                        new KeySetting("inference.access-key", accessKey, "inference.access-key-file", accessKeyFile),
                        new KeySetting("inference.secret-key", secretKey, "inference.secret-key-file", secretKeyFile)),
                trust == null || trust.isEmpty() ? Optional.empty() : Optional.of(Trust.pem(Path.of(trust))));
    }

    @Override
    public String toString() {
        return "ServerAccess[hidden]";
    }
}
