package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** {@code demo --text}, cut short by an option before it: what the user says wins wherever it stands. */
@Tag("whole")
class TextDemoIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(4);
    private static final Pattern ROW =
            Pattern.compile("(?m)^ {2}version +([0-9,]+) {2}held-out loss (-|[0-9.]+) +The parameter server (.+)$");

    @TempDir
    private Path folder;

    @Test
    void shouldShowWhatVersionsWriteAndEndWithTheLoss() throws Exception {
        try (FleetgradProcess demo =
                FleetgradProcess.start(folder, "demo", "--max-steps", "120", "--text", "--json", "--out", "run")) {
            assertThat(demo.await(TIMEOUT)).as(demo.stderr()).isZero();

            JsonNode result = demo.lastLineAsJson();
            assertThat(result.path("dataset").asString()).isEqualTo("project-pages");
            assertThat(result.path("version").asLong()).isBetween(120L, 600L);
            double loss = result.path("heldOutLoss").asDouble();
            assertThat(loss).as("97 characters drawn evenly would have ln(97)").isLessThan(Math.log(97) - 1);
            assertThat(result.path("bitsPerCharacter").asDouble()).isCloseTo(loss / Math.log(2), within(1e-9));
            List<String> rows = ROW.matcher(demo.stderr())
                    .results()
                    .map(row -> row.group(3))
                    .toList();
            assertThat(rows).as(demo.stderr()).isNotEmpty().doesNotHaveDuplicates();
            Matcher last = Pattern.compile("version ([0-9,]+) continues:").matcher(demo.stderr());
            assertThat(last.find()).isTrue();
            assertThat(last.group(1).replace(",", ""))
                    .isEqualTo(result.path("version").asString());
            assertThat(demo.stderr())
                    .contains("bits a character) of version ", "next: ./fleetgrad demo --text --keep")
                    .doesNotContain("accuracy");
        }
    }

    /** A signal ends a demonstration with --keep. */
    @Test
    void shouldLeaveNoTemporaryFiles() throws Exception {
        Path temporary = Files.createDirectories(folder.resolve("temporary"));
        Map<String, List<String>> flags = Map.of("fleetgrad-cli", List.of("-Djava.io.tmpdir=" + temporary));
        try (FleetgradProcess demo =
                FleetgradProcess.startWith(folder, flags, "demo", "--text", "--keep", "--out", "run")) {
            Awaitility.await().atMost(TIMEOUT).until(() -> demo.stderr().contains("project-pages"));
            assertThat(temporary).isDirectoryContaining("glob:**/fleetgrad-demo-*");

            demo.terminate();
            demo.await(TIMEOUT);

            assertThat(temporary).isEmptyDirectory();
        }
    }

    @Test
    void shouldLearnTheUsersTextAndRefuseAPromptThatItDoesNotKnow() throws Exception {
        Path data = Files.createDirectories(folder.resolve("letters"));
        Files.writeString(data.resolve("a.txt"), "the quick brown fox jumps over the lazy dog. ".repeat(60));
        try (FleetgradProcess demo = FleetgradProcess.start(
                folder, "demo", "--text", "--data", data.toString(), "--prompt", "THE", "--out", "run")) {
            assertThat(demo.await(TIMEOUT)).isEqualTo(3);
            assertThat(demo.stderr()).contains("--prompt: character 0, 'T' (U+0054), is not one of the alphabet's 28");
        }
    }
}
