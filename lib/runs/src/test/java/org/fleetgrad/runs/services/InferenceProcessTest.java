package org.fleetgrad.runs.services;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.fleetgrad.runs.process.Ports;
import org.fleetgrad.runs.process.ProcessGroup;
import org.fleetgrad.runs.process.SilentPrograms;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Inference APIs that die; each is a {@link FakeProgram}. */
@Tag("whole")
class InferenceProcessTest {

    @TempDir
    private Path home;

    private final List<String> told = new ArrayList<>();

    @Test
    void shouldStartAReplicaAgainOnTheSamePortUntilItDiedTooOften() throws Exception {
        FakeProgram.buildInto(home, "inference-api");
        int port = Ports.free();
        try (ProcessGroup programs = SilentPrograms.of(home, home.resolve("logs"))) {
            InferenceProcess replica =
                    new InferenceProcess(programs, 1, Map.of("SERVER_PORT", Integer.toString(port)), told::add);
            for (int death = 1; death <= 6; death++) {
                awaitListening(replica, port);
                replica.process().kill();
                awaitEnd(replica);
                replica.revive();

                assertThat(replica.process().isAlive()).isEqualTo(death <= 5);
            }

            assertThat(told)
                    .hasSize(5)
                    .contains("inference-api-1 ended with code 137 and is restarted (1 of at most 5 times)");
            // The run goes on without it: the others have its port too.
            assertThat(programs.anyEnded()).isEmpty();
        }
    }

    @Test
    void shouldNotStartAgainWhatNeverListened() throws Exception {
        FakeProgram.buildInto(home, "inference-api");
        Files.writeString(home.resolve("inference-api/target/inference-api.jar"), "no jar");
        try (ProcessGroup programs = SilentPrograms.of(home, home.resolve("logs"))) {
            InferenceProcess first = new InferenceProcess(programs, 0, Map.of(), told::add);
            awaitEnd(first);

            first.revive();

            assertThat(told).isEmpty();
            assertThat(programs.anyEnded()).contains(first.process());
        }
    }

    private static void awaitListening(InferenceProcess replica, int port) throws IOException {
        while (replica.process().port().orElse(0) != port) {
            assertThat(replica.process().isAlive()).isTrue();
            Thread.onSpinWait();
        }
    }

    private static void awaitEnd(InferenceProcess replica) {
        while (replica.process().isAlive()) {
            Thread.onSpinWait();
        }
    }
}
