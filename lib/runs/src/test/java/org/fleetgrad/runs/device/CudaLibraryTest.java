package org.fleetgrad.runs.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.fleetgrad.runs.output.RunFailedException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CudaLibraryTest {

    @TempDir
    private Path home;

    private Path jars;

    @BeforeEach
    void bind() throws Exception {
        jars = Files.createDirectories(home.resolve("worker-action/target/lib"));
        Files.createFile(jars.resolve("pytorch-engine-0.35.1.jar"));
        Files.createFile(jars.resolve("pytorch-jni-2.7.1-0.35.1.jar"));
    }

    @Test
    void shouldMakeAWorkerLoadTheLibraryOfTheCheckout() throws Exception {
        Path folder = library(home.resolve(".fleetgrad/cuda"), "2.7.1");

        assertThat(CudaLibrary.environment(Map.of(), home, jars))
                .isEqualTo(Map.of(
                        "PYTORCH_LIBRARY_PATH", folder.resolve("natives").toString(),
                        "PYTORCH_VERSION", "2.7.1",
                        "PYTORCH_FLAVOR", "cu128",
                        "LD_LIBRARY_PATH", folder.resolve("cuda").toString(),
                        "CUDA_DEVICE_ORDER", "PCI_BUS_ID"));
    }

    @Test
    void shouldKeepWhatTheEnvironmentHas() throws Exception {
        Path folder = library(home.resolve("elsewhere"), "2.7.1");

        Map<String, String> variables = CudaLibrary.environment(
                Map.of(
                        "FLEETGRAD_CUDA",
                        folder.toString(),
                        "LD_LIBRARY_PATH",
                        "/usr/lib/own",
                        "CUDA_DEVICE_ORDER",
                        "FASTEST_FIRST"),
                home,
                jars);

        assertThat(variables)
                .containsEntry("PYTORCH_LIBRARY_PATH", folder.resolve("natives").toString())
                .containsEntry("LD_LIBRARY_PATH", folder.resolve("cuda") + ":/usr/lib/own")
                .containsEntry("CUDA_DEVICE_ORDER", "FASTEST_FIRST");
    }

    @Test
    void shouldLeaveAnotherChoiceOfLibtorchAlone() throws Exception {
        assertThat(CudaLibrary.environment(Map.of("PYTORCH_LIBRARY_PATH", "/opt/torch"), home, jars))
                .isEmpty();
    }

    @Test
    void shouldSayWhatMakesTheLibraryIfItIsMissing() {
        assertThatThrownBy(() -> CudaLibrary.environment(Map.of(), home, jars))
                .isInstanceOfSatisfying(
                        RunFailedException.class,
                        failed -> assertThat(failed.isInput()).isTrue())
                .hasMessage(
                        "a GPU needs libtorch for CUDA, and %s has none; docker/libtorch-cuda makes it there: it fetches 3 GB from PyPI; or set FLEETGRAD_CUDA to the folder of another one",
                        home.resolve(".fleetgrad/cuda"));
    }

    @Test
    void shouldRefuseTheLibraryOfAnotherVersion() throws Exception {
        Path folder = library(home.resolve(".fleetgrad/cuda"), "2.5.1");

        assertThatThrownBy(() -> CudaLibrary.environment(Map.of(), home, jars))
                .hasMessage(
                        "a GPU needs libtorch 2.7.1 for CUDA, and %s has 2.5.1; remove it, and docker/libtorch-cuda makes it anew",
                        folder);
    }

    /** A folder as docker/libtorch-cuda makes it. */
    private static Path library(Path folder, String version) throws Exception {
        Files.createDirectories(folder.resolve("natives"));
        Files.createFile(folder.resolve("natives/libtorch_cuda.so"));
        Files.writeString(folder.resolve("version"), version + "\n");
        return folder;
    }
}
