package org.fleetgrad.tokenizers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.fleetgrad.datasets.text.JsonTokenizer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where the native library comes from. A process loads it once, so each test has a process. */
class NativeLibraryTest {

    @TempDir
    private Path folder;

    /** Prints the tokens of a text. */
    static final class Encoding {

        private Encoding() {}

        public static void main(String[] text) throws IOException {
            System.out.print(Arrays.toString(
                    JsonTokenizer.of(TrainedTokenizers.stored("wordpiece.json")).encode(text[0])));
        }
    }

    private static String encodedWith(String cache, String library) throws IOException {
        ProcessBuilder java = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Encoding.class.getName(),
                "would chuck");
        java.environment().put("DJL_CACHE_DIR", cache);
        if (!library.isEmpty()) {
            java.environment().put("RUST_LIBRARY_PATH", library);
        }
        Process process = java.redirectError(ProcessBuilder.Redirect.INHERIT).start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    /** Then each process unpacks it into a folder of its own. */
    @Test
    void shouldBeLoadedWhereTheCacheCannotBeWritten() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");

        assertThat(NativeLibrary.isWritable(file.resolve("cache"))).isFalse();
        assertThat(NativeLibrary.isWritable(folder.resolve("cache"))).isTrue();
        assertThat(encodedWith(file.resolve("cache").toString(), "")).isEqualTo("[43, 41]");
    }

    /** As in our images, which may run nothing from a place that they can write. */
    @Test
    void shouldBeLoadedFromTheFileThatTheEnvironmentNames() throws IOException {
        Path library = NativeLibrary.unpacked();

        assertThat(encodedWith("/nowhere", library.toString())).isEqualTo("[43, 41]");
    }
}
