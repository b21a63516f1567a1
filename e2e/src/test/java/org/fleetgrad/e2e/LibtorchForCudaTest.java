package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.fleetgrad.runs.device.CudaLibrary;
import org.fleetgrad.testing.RepositoryRoot;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The folder that docker/libtorch-cuda makes is the one that workers load; the libraries are empty files here. */
@Tag("whole")
@EnabledOnOs(OS.LINUX)
class LibtorchForCudaTest {

    private static final Path SCRIPT = RepositoryRoot.path().resolve("docker/libtorch-cuda");
    private static final List<String> LOADED = List.of(
            "libc10.so",
            "libc10_cuda.so",
            "libcaffe2_nvrtc.so",
            "libgomp-a1b2.so.1",
            "libtorch.so",
            "libtorch_cpu.so",
            "libtorch_cuda.so",
            "libtorch_cuda_linalg.so");

    @TempDir
    private Path folder;

    private Path packages;

    /** Site-packages as pip makes them, with libraries that DJL must not load, too. */
    @BeforeEach
    void install() throws Exception {
        packages = folder.resolve("site-packages");
        Path torch = Files.createDirectories(packages.resolve("torch/lib"));
        for (String library : LOADED) {
            Files.createFile(torch.resolve(library));
        }
        Files.createFile(torch.resolve("libtorch_python.so"));
        Path runtime = Files.createDirectories(packages.resolve("nvidia/cuda_runtime/lib"));
        Files.createFile(runtime.resolve("libcudart.so.12"));
        version("2.7.1+cu126");
    }

    @Test
    void shouldMakeTheFolderThatWorkersLoad() throws Exception {
        assertThat(make("2.7.1")).isEqualTo("%s has libtorch 2.7.1 for CUDA".formatted(cuda()));

        Path jars = Files.createDirectories(folder.resolve("lib"));
        Files.createFile(jars.resolve("pytorch-jni-2.7.1-0.35.1.jar"));
        Map<String, String> variables =
                CudaLibrary.environment(Map.of("FLEETGRAD_CUDA", cuda().toString()), folder, jars);
        assertThat(names(Path.of(variables.get("PYTORCH_LIBRARY_PATH")))).containsExactlyElementsOf(LOADED);
        // Through JNA, which finds no name with a version, DJL would count no GPU.
        assertThat(names(Path.of(variables.get("LD_LIBRARY_PATH")))).containsExactly("libcudart.so", "libcudart.so.12");
        assertThat(cuda().resolve("cuda/libcudart.so")).exists();
        assertThat(variables).containsEntry("PYTORCH_VERSION", "2.7.1");
    }

    @Test
    void shouldRefuseAnotherVersionAndLeaveNothing() throws Exception {
        version("2.5.1+cu124");

        assertThat(make("2.7.1"))
                .isEqualTo("docker/libtorch-cuda: %s has PyTorch 2.5.1+cu124; DJL's binding needs 2.7.1 for CUDA 12"
                        .formatted(packages));
        assertThat(names(folder)).containsExactly("site-packages");
    }

    @Test
    void shouldRefuseAPyTorchForTheProcessor() throws Exception {
        version("2.7.1");
        Files.delete(packages.resolve("torch/lib/libtorch_cuda.so"));

        assertThat(make("2.7.1"))
                .isEqualTo("docker/libtorch-cuda: %s/torch/lib has no libtorch_cuda.so: this PyTorch is not for CUDA"
                        .formatted(packages));
    }

    @Test
    void shouldOverwriteNothing() throws Exception {
        Files.createDirectory(cuda());

        assertThat(make("2.7.1"))
                .isEqualTo("docker/libtorch-cuda: %s is there already; remove it to make it anew".formatted(cuda()));
    }

    private void version(String version) throws Exception {
        Files.writeString(
                packages.resolve("torch/version.py"),
                "__version__ = '%s'%ndebug = False%n".formatted(version),
                StandardCharsets.UTF_8);
    }

    private Path cuda() {
        return folder.resolve("cuda");
    }

    private String make(String torch) throws Exception {
        ProcessBuilder script =
                new ProcessBuilder(SCRIPT.toString(), "--packages", packages.toString()).redirectErrorStream(true);
        script.environment().put("FLEETGRAD_CUDA", cuda().toString());
        script.environment().put("TORCH", torch);
        Process process = script.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        process.waitFor();
        return output;
    }

    private static List<String> names(Path folder) throws Exception {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }
}
