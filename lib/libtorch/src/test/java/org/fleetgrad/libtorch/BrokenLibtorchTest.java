package org.fleetgrad.libtorch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A JVM of its own, since libtorch is loaded once: the folder that its environment names has no libtorch that can be loaded. */
@Tag("whole")
class BrokenLibtorchTest {

    /** Asks for a GPU twice, as the activations of a worker do. */
    public static void main(String[] arguments) {
        for (int i = 0; i < 2; i++) {
            try {
                Libtorch.require(Device.parse("cuda:0"));
            } catch (IllegalArgumentException broken) {
                System.out.println(broken.getMessage());
            }
        }
    }

    @Test
    void shouldSayWhyLibtorchCannotBeLoaded(@TempDir Path folder) throws Exception {
        Path library = Files.createFile(folder.resolve(System.mapLibraryName("torch")));
        Process jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-DPYTORCH_LIBRARY_PATH=" + folder,
                        "-cp",
                        System.getProperty("java.class.path"),
                        BrokenLibtorchTest.class.getName())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String output = new String(jvm.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(jvm.waitFor()).isZero();
        assertThat(output.lines())
                .hasSize(2)
                .allMatch(line -> line.startsWith("device cuda:0: libtorch cannot be loaded: "))
                .allMatch(line -> line.endsWith("; docker/libtorch-cuda makes one for CUDA"))
                .first()
                .asString()
                .contains(library.toRealPath().toString());
    }
}
