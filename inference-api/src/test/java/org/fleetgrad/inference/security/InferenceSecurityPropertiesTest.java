package org.fleetgrad.inference.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.fleetgrad.access.Keys.KeyPair;
import org.fleetgrad.access.Role;
import org.fleetgrad.web.SecurityProperties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

class InferenceSecurityPropertiesTest {

    @TempDir
    private Path folder;

    @Test
    void shouldHaveDefaults() {
        SecurityProperties defaults =
                SecurityProperties.read(new Binder(new MapConfigurationPropertySource(Map.of())), "inference.security");

        assertThat(defaults.pairs("inference.security")).isEmpty();
        assertThat(defaults.tokenLifetime()).isEqualTo(Duration.ofMinutes(15));
        assertThat(defaults.tokenKeyFile()).isNull();
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
                                        "INFERENCE_SECURITY_KEYS_READER_ACCESSKEY", "r",
                                        "INFERENCE_SECURITY_KEYS_READER_SECRETKEY", "reader-secret",
                                        "INFERENCE_SECURITY_KEYS_OPERATOR_ACCESSKEY", "o",
                                        "INFERENCE_SECURITY_KEYS_OPERATOR_SECRETKEYFILE", secret.toString(),
                                        "INFERENCE_SECURITY_TOKENLIFETIME", "1h",
                                        "INFERENCE_SECURITY_TOKENKEYFILE", "/run/secrets/token")));
        SecurityProperties bound = SecurityProperties.read(
                new Binder(ConfigurationPropertySources.get(environment)), "inference.security");

        assertThat(bound.pairs("inference.security"))
                .isEqualTo(Map.of(
                        Role.READER, new KeyPair("r", "reader-secret"),
                        Role.OPERATOR, new KeyPair("o", "12345678")));
        assertThat(bound.tokenLifetime()).isEqualTo(Duration.ofHours(1));
        assertThat(bound.tokenKeyFile()).isEqualTo("/run/secrets/token");
        assertThat(bound.toString()).doesNotContain("reader-secret");
    }
}
