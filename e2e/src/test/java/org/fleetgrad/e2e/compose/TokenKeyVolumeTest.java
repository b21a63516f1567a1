package org.fleetgrad.e2e.compose;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.fleetgrad.testing.RepositoryRoot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** With Compose a token of one replica, or of one service, is valid at the others: all sign with the key of one volume. */
class TokenKeyVolumeTest {

    private static final JsonNode FILE = read();

    @TempDir
    private Path folder;

    private static JsonNode read() {
        try {
            Object yaml = new Yaml(new SafeConstructor(new LoaderOptions()))
                    .load(Files.readString(RepositoryRoot.path().resolve("docker/compose.yaml")));
            return JsonMapper.shared().valueToTree(yaml);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static JsonNode service(String name) {
        return FILE.path("services").path(name);
    }

    @ParameterizedTest
    @CsvSource({"ps-service, PS_SECURITY_TOKENKEYFILE", "inference-api, INFERENCE_SECURITY_TOKENKEYFILE"})
    void shouldSignWithTheKeyOfTheVolume(String name, String variable) {
        JsonNode service = service(name);

        assertThat(FILE.path("volumes").has("token-key")).isTrue();
        assertThat(service.path("environment").path(variable).asString()).isEqualTo("/run/fleetgrad/token-key");
        assertThat(service.path("volumes").valueStream().map(JsonNode::asString))
                .contains("token-key:/run/fleetgrad:ro");
        assertThat(service.path("depends_on")
                        .path("token-key")
                        .path("condition")
                        .asString())
                .isEqualTo("service_completed_successfully");
    }

    /** Runs the very command of the file. */
    @Test
    void shouldDrawTheKeyOnce() throws Exception {
        Path key = folder.resolve("token-key");
        draw();
        String first = Files.readString(key);
        draw();

        // 48 random bytes in Base64.
        assertThat(first).hasSize(64);
        assertThat(key).hasContent(first);
        Files.delete(key);
        draw();
        assertThat(Files.readString(key)).isNotEqualTo(first);
    }

    private void draw() throws Exception {
        JsonNode service = service("token-key");
        assertThat(service.path("entrypoint").valueStream().map(JsonNode::asString))
                .containsExactly("bash", "-euc");
        String command = service.path("command").path(0).asString().replace("/run/fleetgrad", folder.toString());
        Process process =
                new ProcessBuilder("bash", "-euc", command).inheritIO().start();
        assertThat(process.waitFor()).isZero();
    }
}
