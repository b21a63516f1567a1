package org.fleetgrad.ps.web.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.fleetgrad.access.Keys.KeyPair;
import org.fleetgrad.access.Role;
import org.fleetgrad.web.SecurityProperties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

class SecurityPropertiesTest {

    @TempDir
    private Path folder;

    @Test
    void shouldHaveDefaults() {
        SecurityProperties defaults = bind(Map.of());

        assertThat(defaults.pairs("ps.security")).isEmpty();
        assertThat(defaults.tokenLifetime()).isEqualTo(Duration.ofMinutes(15));
        assertThat(defaults.tokenKeyFile()).isNull();
    }

    @Test
    void shouldBindEverySetting() throws IOException {
        Path access = Files.writeString(folder.resolve("access"), "reader\n");
        Path secret = Files.writeString(folder.resolve("secret"), "long enough a secret\r\n");
        SecurityProperties bound = bind(Map.of(
                "ps.security.keys.worker.access-key", "w",
                "ps.security.keys.worker.secret-key", "12345678",
                "ps.security.keys.reader.access-key-file", access.toString(),
                "ps.security.keys.reader.secret-key-file", secret.toString(),
                "ps.security.token-lifetime", "2m",
                "ps.security.token-key-file", "/run/secrets/token"));

        assertThat(bound.pairs("ps.security"))
                .isEqualTo(Map.of(
                        Role.WORKER, new KeyPair("w", "12345678"),
                        Role.READER, new KeyPair("reader", "long enough a secret")));
        assertThat(bound.tokenLifetime()).isEqualTo(Duration.ofMinutes(2));
        assertThat(bound.tokenKeyFile()).isEqualTo("/run/secrets/token");
    }

    @Test
    void shouldBindFromEnvironmentVariables() throws IOException {
        Path secret = Files.writeString(folder.resolve("secret"), "12345678\n");
        StandardEnvironment environment = new StandardEnvironment();
        environment
                .getPropertySources()
                .replace(
                        "systemEnvironment",
                        new SystemEnvironmentPropertySource(
                                "systemEnvironment",
                                Map.of(
                                        "PS_SECURITY_KEYS_WORKER_ACCESSKEY", "w",
                                        "PS_SECURITY_KEYS_WORKER_SECRETKEY", "worker-secret",
                                        "PS_SECURITY_KEYS_OPERATOR_ACCESSKEY", "o",
                                        "PS_SECURITY_KEYS_OPERATOR_SECRETKEYFILE", secret.toString(),
                                        "PS_SECURITY_TOKENLIFETIME", "1h")));
        SecurityProperties bound =
                SecurityProperties.read(new Binder(ConfigurationPropertySources.get(environment)), "ps.security");

        assertThat(bound.pairs("ps.security"))
                .isEqualTo(Map.of(
                        Role.WORKER, new KeyPair("w", "worker-secret"),
                        Role.OPERATOR, new KeyPair("o", "12345678")));
        assertThat(bound.tokenLifetime()).isEqualTo(Duration.ofHours(1));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "root.access-key=a|ps.security.keys.root is of no role; write one of worker, reader, evaluator, operator",
                "worker.access-key=a|ps.security.keys.worker.secret-key is missing; write ps.security.keys.worker.secret-key or ps.security.keys.worker.secret-key-file",
                "worker.secret-key=12345678|ps.security.keys.worker.access-key is missing; write ps.security.keys.worker.access-key or ps.security.keys.worker.access-key-file",
                "worker.access-key=a,worker.secret-key=12345678,worker.secret-key-file=/x|ps.security.keys.worker.secret-key is given twice; write ps.security.keys.worker.secret-key or ps.security.keys.worker.secret-key-file",
                "worker.access-key=a,worker.secret-key=1234567|ps.security.keys.worker.secret-key has 7 characters; write 8 or more, such as what 'openssl rand -hex 24' prints",
                "worker.access-key=,worker.secret-key=12345678|ps.security.keys.worker.access-key is empty; write one character or more",
                "worker.access-key=a,worker.secret-key-file=/no/such/file|ps.security.keys.worker.secret-key-file cannot be read: java.nio.file.NoSuchFileException: /no/such/file"
            })
    void shouldSayWhichKeyIsWrongAndWhatToWrite(String settings, String message) {
        Map<String, String> map = new HashMap<>();
        for (String setting : settings.split(",")) {
            String[] parts = setting.split("=", 2);
            map.put("ps.security.keys." + parts[0], parts[1]);
        }

        assertThatThrownBy(() -> bind(map).pairs("ps.security"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void shouldRefuseAFileThatIsNoKey() throws IOException {
        Path large = Files.writeString(folder.resolve("large"), "x".repeat(4097));

        assertThatThrownBy(() -> bind(Map.of(
                                "ps.security.keys.worker.access-key",
                                "a",
                                "ps.security.keys.worker.secret-key-file",
                                large.toString()))
                        .pairs("ps.security"))
                .hasMessage(
                        "ps.security.keys.worker.secret-key-file %s has more than 4096 bytes; write a file with the key alone",
                        large);
    }

    @Test
    void shouldNeverShowAKey() {
        SecurityProperties bound = bind(Map.of(
                "ps.security.keys.worker.access-key", "hidden-access",
                "ps.security.keys.worker.secret-key", "hidden-secret"));

        assertThat(bound.toString()).doesNotContain("hidden-");
    }

    private static SecurityProperties bind(Map<String, String> settings) {
        return SecurityProperties.read(new Binder(new MapConfigurationPropertySource(settings)), "ps.security");
    }
}
