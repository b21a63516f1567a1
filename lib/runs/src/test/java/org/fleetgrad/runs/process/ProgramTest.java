package org.fleetgrad.runs.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class ProgramTest {

    private final Path home = Path.of("home");

    @Test
    void shouldStartTheJarOfItsModule() {
        assertThat(Program.PS_SERVICE.command(home, Room.NONE))
                .startsWith(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString())
                .endsWith(
                        "-jar",
                        Path.of("home", "ps-service", "target", "ps-service.jar")
                                .toString());
    }

    /** A program that serves requests must not wait for one that computes. */
    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void shouldLetWorkersAloneStandBack() {
        assertThat(Program.WORKER_ACTION.command(home, Room.NONE)).startsWith("nice", "-n", "10");
        assertThat(Program.WORKER_ACTION.commandLike(0, "-cp", "x", "Main"))
                .startsWith("nice", "-n", "10")
                .endsWith("-cp", "x", "Main");
        assertThat(Program.PS_SERVICE.command(home, Room.NONE)).doesNotContain("nice");
        assertThat(Program.INFERENCE_API.command(home, Room.NONE)).doesNotContain("nice");
    }

    @Test
    void shouldStartTheInstalledJarWhereTheScriptInstalledOne() {
        System.setProperty("fleetgrad.programs", "installed");
        try {
            assertThat(Program.PS_SERVICE.jar(home)).isEqualTo(Path.of("installed/ps-service/target/ps-service.jar"));
            assertThat(ProgramFolder.flag(home)).isEqualTo("-Dfleetgrad.programs=installed");
        } finally {
            System.clearProperty("fleetgrad.programs");
        }
        assertThat(ProgramFolder.flag(home)).isEqualTo("-Dfleetgrad.programs=home");
    }

    @Test
    void shouldStartWithTheArchivedClassesOfTheInstalledProgramsIfThereAreAny(@TempDir Path installed)
            throws IOException {
        Path flags = installed.resolve("classes/ps-service.options");
        Files.createDirectories(flags.getParent());
        Files.writeString(flags, "");
        System.setProperty("fleetgrad.programs", installed.toString());
        try {
            assertThat(Program.PS_SERVICE.command(home, Room.NONE)).containsSubsequence("@" + flags, "-jar");
            assertThat(Program.INFERENCE_API.command(home, Room.NONE)).noneMatch(word -> word.startsWith("@"));
        } finally {
            System.clearProperty("fleetgrad.programs");
        }
    }

    @Test
    void shouldAddTheFlagsOfItsSystemProperty() {
        System.setProperty("fleetgrad.flags.ps-service", " -Xint  -Xshare:off ");
        try {
            assertThat(Program.PS_SERVICE.command(home, Room.NONE)).containsSubsequence("-Xint", "-Xshare:off", "-jar");
            assertThat(Program.INFERENCE_API.command(home, Room.NONE)).doesNotContain("-Xint");
        } finally {
            System.clearProperty("fleetgrad.flags.ps-service");
        }
    }

    @Test
    void shouldGiveTheServerTheHeapThatItsSettingsNeedWithinTheMachine() {
        long model = 100L << 20;
        long machine = 16L << 30;

        assertThat(heap(Program.PS_SERVICE, new Room(model, 0, machine))).isEqualTo("-Xmx1512m");
        assertThat(heap(Program.PS_SERVICE, new Room(model, 64, machine))).isEqualTo("-Xmx7912m");
        assertThat(heap(Program.PS_SERVICE, new Room(model, 640, machine))).isEqualTo("-Xmx12288m");
        assertThat(heap(Program.PS_SERVICE, new Room(model, 640, 1L << 30)))
                .as("never less than without them")
                .isEqualTo("-Xmx1512m");
        assertThat(heap(Program.WORKER_ACTION, new Room(model, 64, machine))).isEqualTo("-Xmx796m");
    }

    private String heap(Program program, Room room) {
        return program.command(home, room).stream()
                .filter(part -> part.startsWith("-Xmx"))
                .findFirst()
                .orElseThrow();
    }
}
