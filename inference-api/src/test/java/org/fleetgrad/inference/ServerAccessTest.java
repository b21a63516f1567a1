package org.fleetgrad.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.fleetgrad.client.Credentials;
import org.fleetgrad.testing.TestCertificate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

class ServerAccessTest {

    @TempDir
    private Path folder;

    @Test
    void shouldShowNoKeysAndTrustTheJdksByDefault() {
        assertThat(bind(Map.of()).read().credentials()).isEmpty();
        assertThat(bind(Map.of()).read().trust()).isEmpty();
    }

    @Test
    void shouldBindEverySetting() throws IOException {
        Path access = Files.writeString(folder.resolve("access"), "evaluation\n");
        Path secret = Files.writeString(folder.resolve("secret"), "from a file\n");
        TestCertificate certificate = TestCertificate.create(folder, "dns:localhost");

        assertThat(bind(Map.of("inference.access-key", "a", "inference.secret-key", "s"))
                        .read()
                        .credentials())
                .contains(new Credentials("a", "s"));
        ServerAccess files = bind(Map.of(
                "inference.access-key-file", access.toString(),
                "inference.secret-key-file", secret.toString(),
                "inference.trust", certificate.pem().toString()));
        assertThat(files.read().credentials()).contains(new Credentials("evaluation", "from a file"));
        assertThat(files.read().trust()).isPresent();
    }

    @Test
    void shouldBindFromEnvironmentVariables() {
        StandardEnvironment environment = new StandardEnvironment();
        environment
                .getPropertySources()
                .replace(
                        "systemEnvironment",
                        new SystemEnvironmentPropertySource(
                                "systemEnvironment",
                                Map.of("INFERENCE_ACCESSKEY", "a", "INFERENCE_SECRETKEY", "s", "INFERENCE_TRUST", "")));

        assertThat(new Binder(ConfigurationPropertySources.get(environment))
                        .bindOrCreate("inference", ServerAccess.class)
                        .read()
                        .credentials())
                .contains(new Credentials("a", "s"));
    }

    @Test
    void shouldSayWhatToWriteInstead() {
        assertThatThrownBy(() -> bind(Map.of("inference.access-key", "a")).read())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("inference.access-key is set and inference.secret-key is not;"
                        + " write inference.secret-key or inference.secret-key-file too");
        assertThatThrownBy(() -> bind(Map.of("inference.trust", "/no/such.pem")).read())
                .hasMessage("the certificate to trust cannot be read: java.nio.file.NoSuchFileException: /no/such.pem");
    }

    @Test
    void shouldNeverShowAKey() {
        assertThat(bind(Map.of("inference.access-key", "my-access", "inference.secret-key", "my-secret")))
                .asString()
                .doesNotContain("my-");
    }

    private static ServerAccess bind(Map<String, String> settings) {
        return new Binder(new MapConfigurationPropertySource(settings)).bindOrCreate("inference", ServerAccess.class);
    }
}
