package org.fleetgrad.runs.services;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.fleetgrad.runs.process.ProcessGroup;
import org.fleetgrad.runs.process.SilentPrograms;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerProcessTest {

    @TempDir
    private Path home;

    private final List<String> told = new ArrayList<>();

    @BeforeEach
    void makeAServerThatDiesAtOnce() throws Exception {
        Path jar = home.resolve("ps-service/target/ps-service.jar");
        Files.createDirectories(jar.getParent());
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        try (OutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
            out.flush();
        }
    }

    @Test
    void shouldStartAServerAgainFiveTimesAtMost() throws Exception {
        try (ProcessGroup programs = SilentPrograms.of(home, home.resolve("logs"))) {
            ServerProcess server = new ServerProcess(programs, "ps-service", Map.of(), true, told::add);
            server.up();
            for (int i = 1; i <= 7; i++) {
                awaitEnd(programs);
                server.revive();
                assertThat(server.restarts()).isEqualTo(Math.min(i, 5));
            }

            assertThat(told)
                    .hasSize(5)
                    .contains(
                            "ps-service ended with code 1 and is restarted from its stored state (5 of at most 5 times)");
            assertThat(programs.anyEnded().orElseThrow().describeEnd()).contains("ps-service-restart-5.log");
        }
    }

    @Test
    void shouldNotStartAgainWhatNeverWasUp() throws Exception {
        try (ProcessGroup programs = SilentPrograms.of(home, home.resolve("logs"))) {
            ServerProcess server = new ServerProcess(programs, "ps-service", Map.of(), true, told::add);
            awaitEnd(programs);

            server.revive();

            assertThat(server.restarts()).isZero();
            assertThat(server.canComeBack()).isFalse();
        }
    }

    @Test
    void shouldNotStartAgainWhatNobodyKept() throws Exception {
        try (ProcessGroup programs = SilentPrograms.of(home, home.resolve("logs"))) {
            ServerProcess server = new ServerProcess(programs, "ps-service", Map.of(), false, told::add);
            server.up();
            awaitEnd(programs);

            server.revive();

            assertThat(server.restarts()).isZero();
            assertThat(server.canComeBack()).isFalse();
            assertThat(told).isEmpty();
        }
    }

    private static void awaitEnd(ProcessGroup programs) {
        while (programs.anyEnded().isEmpty()) {
            Thread.onSpinWait();
        }
    }
}
