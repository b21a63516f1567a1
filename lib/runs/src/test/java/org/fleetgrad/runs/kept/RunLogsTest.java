package org.fleetgrad.runs.kept;

import static java.nio.file.StandardOpenOption.APPEND;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunLogsTest {

    @TempDir
    private Path folder;

    private Path server = Path.of("");
    private RunLogs logs = new RunLogs(new KeptRun(Path.of(""), ExampleFacts.of("x"), RunState.ENDED, ""));

    @BeforeEach
    void write() throws Exception {
        server = Files.createDirectories(folder.resolve("logs")).resolve("ps-service.log");
        Files.writeString(server, "one\ntwo\nthree\n");
        logs = new RunLogs(new KeptRun(folder, ExampleFacts.of("first"), RunState.ENDED, ""));
    }

    @Test
    void shouldNameTheProgramsWithALog() throws Exception {
        Files.writeString(folder.resolve("logs/worker-0.log"), "");
        Files.writeString(folder.resolve("logs/worker-0.port"), "1");
        Files.writeString(folder.resolve("logs/x\u001b[31m.log"), "");
        Files.createSymbolicLink(folder.resolve("logs/link.log"), server);

        assertThat(logs.programs()).containsExactly("ps-service", "worker-0");
        assertThat(new RunLogs(new KeptRun(folder.resolve("x"), ExampleFacts.of("x"), RunState.ENDED, "")).programs())
                .isEmpty();
    }

    @Test
    void shouldReadTheLastLinesAndThenWhatIsAdded() throws Exception {
        assertThat(logs.last("ps-service", 2)).containsExactly("two", "three");
        assertThat(logs.next("ps-service")).isEmpty();
        Files.writeString(server, "four\nfi", APPEND);
        assertThat(logs.next("ps-service")).containsExactly("four");
        Files.writeString(server, "ve\n", APPEND);
        assertThat(logs.next("ps-service")).containsExactly("five");

        // The program is started again.
        Files.writeString(server, "anew\n");

        assertThat(logs.next("ps-service")).containsExactly("anew");
        assertThat(logs.next("worker-0")).isEmpty();
    }

    @Test
    void shouldPrintNoControlCharacterAndNoEndlessLine() throws Exception {
        Files.write(server, "\u001b[2Jred\u0007\n".getBytes(StandardCharsets.UTF_8));
        assertThat(logs.last("ps-service", 9)).containsExactly("\uFFFD[2Jred\uFFFD");

        Files.writeString(server, "x".repeat(3 << 20));

        assertThat(logs.last("ps-service", 9)).singleElement().asString().hasSizeLessThan(5000);
        RunLogs other = new RunLogs(new KeptRun(folder, ExampleFacts.of("first"), RunState.ENDED, ""));
        assertThat(other.next("ps-service")).singleElement().asString().startsWith("xxx");
    }
}
