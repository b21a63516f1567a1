package org.fleetgrad.runs.place;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunKeysTest {

    private final RunKeys keys = RunKeys.draw();

    @TempDir
    private Path folder;

    @Test
    void shouldGiveTheInferenceApiTheKeysThatItShowsAndThoseThatItAsksFor() {
        assertThat(keys.ofInference())
                .containsOnly(
                        Map.entry("INFERENCE_ACCESSKEY", "evaluator"),
                        Map.entry("INFERENCE_SECRETKEY", keys.evaluator().secretKey()),
                        Map.entry("INFERENCE_SECURITY_KEYS_READER_ACCESSKEY", "reader"),
                        Map.entry(
                                "INFERENCE_SECURITY_KEYS_READER_SECRETKEY",
                                keys.reader().secretKey()),
                        Map.entry("INFERENCE_SECURITY_KEYS_EVALUATOR_ACCESSKEY", "evaluator"),
                        Map.entry(
                                "INFERENCE_SECURITY_KEYS_EVALUATOR_SECRETKEY",
                                keys.evaluator().secretKey()),
                        Map.entry("INFERENCE_SECURITY_KEYS_OPERATOR_ACCESSKEY", "operator"),
                        Map.entry(
                                "INFERENCE_SECURITY_KEYS_OPERATOR_SECRETKEY",
                                keys.operator().secretKey()));
    }

    @Test
    void shouldGiveBothServicesTheSameReader() {
        assertThat(keys.ofServer())
                .containsEntry(
                        "PS_SECURITY_KEYS_READER_SECRETKEY", keys.reader().secretKey())
                .hasSize(8);
        assertThat(RunKeys.draw().reader()).isNotEqualTo(keys.reader());
        assertThat(keys.toString()).doesNotContain(keys.reader().secretKey());
    }

    @Test
    void shouldWriteAnotherTokenKeyForEachRunForItsOwnerAlone() throws IOException {
        Path file = RunKeys.writeTokenKey(folder);
        String first = Files.readString(file);

        assertThat(first).matches("[0-9a-f]{96}\n");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(Files.readString(RunKeys.writeTokenKey(folder))).isNotEqualTo(first);
    }

    @Test
    void shouldWriteTheReadersKeyForItsOwnerAlone() throws IOException {
        Path file = keys.writeReader(folder);
        Path again = keys.writeReader(folder);

        assertThat(again).isEqualTo(file);
        assertThat(Files.readString(file)).isEqualTo(keys.reader().secretKey() + "\n");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }
}
