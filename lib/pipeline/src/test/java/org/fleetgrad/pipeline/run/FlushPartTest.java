package org.fleetgrad.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.networks.block.BlockRange;
import org.fleetgrad.optim.RuleState;
import org.fleetgrad.pipeline.training.StageState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FlushPartTest {

    private static final BlockRange RANGE = BlockRange.of(Networks.usual("resnet20"), 2, 4);

    @TempDir
    private Path folder;

    private static float[] numbers(long count, float first) {
        float[] values = new float[Math.toIntExact(count)];
        for (int i = 0; i < values.length; i++) {
            values[i] = first + i;
        }
        return values;
    }

    @Test
    void shouldGiveBackTheWholeStateOfAStage() throws IOException {
        float[] parameters = numbers(RANGE.parameters().elementCount(), 0.5f);
        float[] state = numbers(RANGE.state().elementCount(), -3);
        float[] momentum = numbers(parameters.length, 7);
        Path file = folder.resolve(FlushPart.fileName(1));
        StageState written = new StageState(
                41,
                parameters,
                state,
                new RuleState(
                        Map.of("optimizer/steps", 41L, "rule/count", 3L),
                        Map.of("optimizer/momentum_buffer", momentum)));

        long bytes = FlushPart.write(file, RANGE, written);
        StageState read = FlushPart.read(file, RANGE);

        assertThat(Files.size(file)).isEqualTo(bytes);
        assertThat(read.steps()).isEqualTo(41);
        assertThat(read.parameters()).isEqualTo(parameters);
        assertThat(read.state()).isEqualTo(state);
        assertThat(read.optimizer().numbers()).isEqualTo(written.optimizer().numbers());
        assertThat(read.optimizer().buffers()).containsOnlyKeys("optimizer/momentum_buffer");
        assertThat(read.optimizer().buffers().get("optimizer/momentum_buffer")).isEqualTo(momentum);
    }

    @Test
    void shouldRefuseThePartOfOtherBlocks() throws IOException {
        Path file = folder.resolve(FlushPart.fileName(0));
        StageState state = new StageState(
                1,
                new float[Math.toIntExact(RANGE.parameters().elementCount())],
                new float[Math.toIntExact(RANGE.state().elementCount())],
                new RuleState(Map.of(), Map.of()));
        FlushPart.write(file, RANGE, state);

        assertThatThrownBy(() -> FlushPart.read(file, BlockRange.of(Networks.usual("resnet20"), 0, 2)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(RANGE.toString())
                .hasMessageContaining("resume with the cut of the run");
    }

    @Test
    void shouldRefuseADamagedFile() throws IOException {
        Path file = Files.write(folder.resolve("stage-0.safetensors"), new byte[20]);

        assertThatThrownBy(() -> FlushPart.read(file, RANGE))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is no safetensors file");
    }
}
