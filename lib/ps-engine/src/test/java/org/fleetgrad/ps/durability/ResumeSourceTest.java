package org.fleetgrad.ps.durability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.protocol.tensor.DType;
import org.fleetgrad.ps.Tensors;
import org.fleetgrad.ps.persistence.Origin.Beginning;
import org.fleetgrad.ps.settings.TrainingSettings;
import org.fleetgrad.ps.training.TrainingRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResumeSourceTest {

    private static final TrainingSettings SETTINGS = TrainingRun.plain(new TrainingMode.Async(1), 64);

    @TempDir
    private Path folder;

    @Test
    void shouldBeginFromAFileWithoutTheVersionItWasTakenAt() throws IOException {
        Path file = Files.write(
                folder.resolve("model.safetensors"),
                Tensors.file(
                        Tensors.LAYOUT,
                        Map.of("network", "fc", "generation", "g9", "version", "77"),
                        1,
                        2,
                        3,
                        4,
                        5,
                        6));

        assertThat(read(file.toString())).isInstanceOfSatisfying(Beginning.Parameters.class, beginning -> {
            assertThat(beginning.parameters().values()).containsExactly(1, 2, 3, 4, 5, 6);
            assertThat(beginning.parameters().metadata()).isEqualTo(Map.of("network", "fc"));
        });
    }

    @Test
    void shouldNameTheTensorOfAValueThatIsNotFinite() throws IOException {
        Path file = Files.write(folder.resolve("nan"), Tensors.parameters(1, 2, 3, 4, Float.NaN, 6));

        refused(file.toString(), "value 2 of 4 of tensor 'fc.weight' is NaN");
    }

    @Test
    void shouldRefuseAValueThatNoGradientMayHave() throws IOException {
        Path file = Files.write(folder.resolve("large"), Tensors.parameters(1, 2, 3, 4, 1e30f, 6));

        refused(file.toString(), "is 1.0E30; values must be smaller than 4294967296 in size, or sums of them overflow");
    }

    @Test
    void shouldNameTheTensorOfAnotherType() throws IOException {
        Path file = Files.write(
                folder.resolve("half"), Tensors.zeros(Map.of(), Tensors.spec("conv.weight", DType.F16, 3, 3)));

        refused(file.toString(), "tensor 'conv.weight' has type F16, a run needs F32; convert it first");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "not a safetensors file", "\0\0\0\0\0\0\0\0"})
    void shouldRefuseAFileThatIsNoModel(String content) throws IOException {
        refused(Files.writeString(folder.resolve("file"), content).toString(), "is not a safetensors file");
    }

    @Test
    void shouldBeginFromTheNewestCheckpointOrFromOneByItsNumberWhereverTheFolderLies() throws IOException {
        Path odd = folder.resolve("run #3");
        DurableRun durable = new DurableRun(SETTINGS);
        try (TrainingRun run =
                durable.open(DurableRun.CHECKPOINTS, odd).startingAt(0).withWorkers("a")) {
            run.push("a", 1, 0, 2);
        }
        Path twice = Files.move(odd, folder.resolve("run #3 #4"));
        try (TrainingRun run = durable.open(DurableRun.CHECKPOINTS, twice).withWorkers("a")) {
            run.push("a", 2, 0, 2);
        }

        float newest = state(twice.toString());
        assertThat(newest).isNotEqualTo(state(twice + "#2"));
        refused(twice + "#newest", "write a checkpoint's number after '#'");
        refused(twice + "#99", "99");
        refused(folder + "/run #4", "there is no such file or folder");
    }

    @Test
    void shouldSayThatThereIsNoCheckpointInAnEmptyFolder() {
        refused(folder.toString(), "which has no readable checkpoint (0 listed)");
    }

    private static float state(String source) throws IOException {
        return ((Beginning.State) read(source)).state().parameters()[0];
    }

    private static Beginning read(String source) throws IOException {
        return new ResumeSource(source, SETTINGS, name -> null).read();
    }

    private static void refused(String source, String message) {
        assertThatThrownBy(() -> read(source)).isInstanceOf(IOException.class).hasMessageContaining(message);
    }
}
