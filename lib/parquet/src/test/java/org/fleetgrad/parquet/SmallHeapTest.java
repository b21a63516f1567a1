package org.fleetgrad.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that claim gigabytes, in a program of a small heap. */
@Tag("whole")
class SmallHeapTest {

    @TempDir
    private Path folder;

    @Test
    void shouldRefuseEachClaimWithoutRunningOutOfMemory() throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                ReadingProgram.class.getName()));
        List<Consumer<HostileFile>> claims = List.of(
                file -> file.unpacked = Integer.MAX_VALUE,
                file -> {
                    file.codec = 6;
                    file.unpacked = 17 << 20;
                },
                file -> {
                    // A run of zeros: the first value is there, and all others.
                    file.rows = 1 << 28;
                    file.groupRows = 1 << 28;
                    file.values = 1 << 28;
                    file.pageValues = 1 << 28;
                },
                file -> file.schema = new byte[1 << 22]);
        for (Consumer<HostileFile> claim : claims) {
            HostileFile hostile = new HostileFile();
            claim.accept(hostile);
            Path file = folder.resolve("%d.parquet".formatted(command.size()));
            Files.write(file, hostile.bytes());
            command.add(file.toString());
        }

        Process program = new ProcessBuilder(command).redirectErrorStream(true).start();
        String printed = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(program.waitFor()).as(printed).isZero();
        assertThat(printed.lines()).hasSize(claims.size()).allMatch(line -> line.startsWith("refused: "));
    }
}
