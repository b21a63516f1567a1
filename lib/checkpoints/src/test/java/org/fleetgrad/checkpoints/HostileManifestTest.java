package org.fleetgrad.checkpoints;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Forged manifests. Those with a seal have a correct one, so that the other checks are reached. */
class HostileManifestTest {

    private static final String DIGEST = "{\"bytes\":1,\"sha256\":\"" + "a".repeat(64) + "\"}";
    private static final String WHOLE = """
            {"format":1,"number":42,"generation":"g","version":7,"written":"2026-01-02T03:04:05Z",\
            "notes":{"a":"b"},"files":{"parameters.safetensors":%s}""".formatted(DIGEST);

    @Test
    void shouldReadAValidManifest() {
        CheckpointManifest manifest = ManifestJson.decode(sealed(WHOLE), 42);

        assertThat(manifest.name()).isEqualTo("checkpoint-000042");
        assertThat(manifest.notes()).isEqualTo(Map.of("a", "b"));
        assertThat(ManifestJson.decode(ManifestJson.encode(manifest), 42)).isEqualTo(manifest);
    }

    @Test
    void shouldIgnoreUnknownMembers() {
        byte[] richer = sealed(WHOLE.replace("\"number\"", "\"later\":[{}],\"number\""));

        assertThat(ManifestJson.decode(richer, 42)).isEqualTo(ManifestJson.decode(sealed(WHOLE), 42));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`` | is empty",
                "garbage | is not JSON: ",
                "{ | is not JSON: ",
                "{\"a\":1,\"a\":2} | is not JSON: Duplicate",
                "{} {} | is not JSON: ",
                "NaN | is not JSON: ",
                "null | is not a JSON object",
                "[] | is not a JSON object",
                "7 | is not a JSON object",
                "{} | is not the manifest of this checkpoint: 'format' must be a whole number; it is missing",
                "{\"format\":\"1\"} | is not the manifest of this checkpoint: 'format' must be a whole number; it is \"1\"",
                "{\"format\":1.0} | is not the manifest of this checkpoint: 'format' must be a whole number; it is 1.0",
                "{\"format\":1} | is not the manifest of this checkpoint: its 'sha256' differs from that of its content"
            })
    void shouldRefuseInvalidManifests(String text, String message) {
        assertThatThrownBy(() -> ManifestJson.decode(text.getBytes(StandardCharsets.UTF_8), 42))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"number\":42 | \"number\":41 | it belongs to checkpoint-000041",
                "\"number\":42 | \"number\":0 | a checkpoint's number must be from 1 to 999999999999; it is 0",
                "\"number\":42 | \"number\":-42 | a checkpoint's number must be from 1 to 999999999999; it is -42",
                "\"number\":42 | \"number\":1e999999999 | 'number' must be a whole number; it is",
                "\"number\":42 | \"number\":99999999999999999999 | 'number' must be a whole number; it is 99999999999999999999",
                "\"number\":42 | \"numbers\":42 | 'number' must be a whole number; it is missing",
                "\"version\":7 | \"version\":-1 | no version of a parameter set: 'g', -1",
                "\"version\":7 | \"version\":null | 'version' must be a whole number; it is null",
                "\"generation\":\"g\" | \"generation\":\"\" | no version of a parameter set: '', 7",
                "\"generation\":\"g\" | \"generation\":[] | 'generation' must be a string; it is []",
                "2026-01-02T03:04:05Z | yesterday | Text 'yesterday' could not be parsed",
                "{\"a\":\"b\"} | {\"a\":1} | 'a' must be a string; it is 1",
                "{\"a\":\"b\"} | 7 | 'notes' must be an object; it is 7",
                "\"bytes\":1 | \"bytes\":-1 | a file must have 0 bytes or more and a SHA-256 of 64 digits; it has -1 and 'aaaa",
                "\"sha256\":\"aa | \"sha256\":\"AA | a file must have 0 bytes or more and a SHA-256 of 64 digits; it has 1 and 'AAaa",
                "\"bytes\":1, | `` | 'bytes' must be a whole number; it is missing"
            })
    void shouldRefuseInvalidValues(String well, String wrong, String message) {
        assertThat(WHOLE).contains(well);
        assertThatThrownBy(() -> ManifestJson.decode(sealed(WHOLE.replace(well, wrong)), 42))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("is not the manifest of this checkpoint: " + message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"../outside", "..", "/etc/passwd", "a/b", "a\\\\b", ".hidden", "", "manifest.json", "a b", "ä"})
    void shouldRefuseNamesThatLeadElsewhere(String name) {
        String hostile = WHOLE.replace("\"files\":{", "\"files\":{\"%s\":%s,".formatted(name, DIGEST));

        assertThatThrownBy(() -> ManifestJson.decode(sealed(hostile), 42))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("is not the manifest of this checkpoint: a file of a checkpoint has a name of")
                .hasMessageEndingWith("not '%s'", name.replace("\\\\", "\\"));
    }

    @Test
    void shouldRefuseAManifestWithoutParametersOrWithTooManyFiles() {
        assertThatThrownBy(() -> ManifestJson.decode(sealed(WHOLE.replace("parameters.", "other.")), 42))
                .hasMessageEndingWith("a checkpoint must have parameters.safetensors and at most 100 files in all;"
                        + " it has 1: [other.safetensors]");
        StringBuilder many = new StringBuilder();
        for (int i = 0; i < 100; i++) {
            many.append("\"f%d\":%s,".formatted(i, DIGEST));
        }
        assertThatThrownBy(() -> ManifestJson.decode(sealed(WHOLE.replace("\"files\":{", "\"files\":{" + many)), 42))
                .hasMessageContaining("at most 100 files in all; it has 101: [f0, f1,");
    }

    @Test
    void shouldSayWhatToDoAboutAnotherFormat() {
        String later = WHOLE.replace("\"format\":1", "\"format\":2") + "}";

        assertThatThrownBy(() -> ManifestJson.decode(later.getBytes(StandardCharsets.UTF_8), 42))
                .hasMessage("is not the manifest of this checkpoint: "
                        + "its format is 2, this Fleetgrad reads format 1; use the Fleetgrad that wrote it");
        String farLater = later.replace("\"format\":2", "\"format\":4294967297");
        assertThatThrownBy(() -> ManifestJson.decode(farLater.getBytes(StandardCharsets.UTF_8), 42))
                .hasMessageContaining("its format is 2147483647,");
    }

    @Test
    void shouldRefuseHugeManifests() {
        assertThatThrownBy(() -> ManifestJson.decode(new byte[(1 << 20) + 1], 42))
                .hasMessage("has more than 1048576 bytes");
        byte[] deep = "[".repeat(1 << 20).getBytes(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> ManifestJson.decode(deep, 42)).hasMessageStartingWith("is not JSON: ");
    }

    @Test
    void shouldKeepControlCharactersOutOfMessages() {
        String hostile = WHOLE.replace("\"a\":\"b\"", "\"a\\u001b[2J\\n\":{}");

        assertThatThrownBy(() -> ManifestJson.decode(sealed(hostile), 42))
                .hasMessageEndingWith("'a\uFFFD[2J\uFFFD' must be a string; it is {}");
    }

    private static byte[] sealed(String content) {
        return ManifestJson.seal(content.getBytes(StandardCharsets.UTF_8));
    }
}
