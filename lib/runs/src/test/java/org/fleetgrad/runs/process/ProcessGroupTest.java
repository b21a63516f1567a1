package org.fleetgrad.runs.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessGroupTest {

    @TempDir
    private Path home;

    @Test
    void shouldSayWhichProgramIsNotBuilt() {
        try (ProcessGroup programs = SilentPrograms.of(home, home.resolve("logs"))) {
            assertThatThrownBy(() -> programs.start(Program.PS_SERVICE, "ps-service", Map.of()))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("ps-service is not built: ")
                    .hasMessageEndingWith("ps-service.jar is missing");
        }
    }

    @Test
    void shouldShowTheEndOfTheLogOfAProgramThatEnded() throws Exception {
        // A jar without a main class: java says so and ends.
        Path jar = home.resolve("ps-service/target/ps-service.jar");
        Files.createDirectories(jar.getParent());
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        try (OutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
            out.flush();
        }
        try (ProcessGroup programs = SilentPrograms.of(home, home.resolve("logs"))) {
            ProgramProcess program = programs.start(Program.PS_SERVICE, "ps-service", Map.of());
            program.awaitEnd(Duration.ofSeconds(60));

            assertThat(programs.anyEnded()).contains(program);
            assertThat(program.describeEnd())
                    .startsWith("ps-service ended with code 1; its log ")
                    .contains("no main manifest attribute");
        }
    }

    @Test
    void shouldStartNothingMoreOnceItEnds() {
        ProcessGroup programs = SilentPrograms.of(home, home.resolve("logs"));
        programs.close();

        assertThat(programs.anyEnded()).isEmpty();
    }

    @Test
    void shouldTakeAnotherPortWhereThePreferredOneIsTaken() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(Ports.preferring(taken.getLocalPort())).isNotEqualTo(taken.getLocalPort());
        }
        int free = Ports.free();
        assertThat(Ports.preferring(free)).isEqualTo(free);
    }
}
