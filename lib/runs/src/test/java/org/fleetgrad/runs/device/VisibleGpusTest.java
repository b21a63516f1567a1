package org.fleetgrad.runs.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VisibleGpusTest {

    /** As the driver prints it; the second GPU is split. */
    private static final String TWO = """
            GPU 0: NVIDIA A100-SXM4-40GB (UUID: GPU-5fa9c2c0-9a6b-8e9d-0f0e-6c3f6a0d7b11)
            GPU 1: NVIDIA A100-SXM4-40GB (UUID: GPU-0b1c2d3e-1111-2222-3333-444455556666)
              MIG 1g.5gb      Device  0: (UUID: MIG-c6d4f1ef-42e4-5de3-91c7-45d71c87eb3f)""";

    @Test
    void shouldCountTheGpusThatTheDriverLists() {
        VisibleGpus gpus = VisibleGpus.listed(TWO, Optional.empty());

        assertThat(gpus.names()).containsExactly("0", "1");
        assertThat(gpus.origin()).isEqualTo("nvidia-smi lists 2 GPUs");
    }

    @Test
    void shouldFindNoneInAnotherOutput() {
        assertThat(VisibleGpus.listed("No devices found.", Optional.empty()).names())
                .isEmpty();
    }

    /** CUDA counts the visible GPUs from 0, in the variable's order, and ignores all from the first unknown one. */
    @ParameterizedTest
    @CsvSource({
        "1, 1",
        "'1,0', '1 0'",
        "' 1 , 0 ', '1 0'",
        "'0,7,1', 0",
        "'-1', ''",
        "'0,-1,1', 0",
        "'', ''",
        "'GPU-0b1c2d3e,0', 'GPU-0b1c2d3e 0'",
        "'MIG-c6d4f1ef', 'MIG-c6d4f1ef'",
        "'99999999999', ''"
    })
    void shouldHideWhatTheVariableHides(String visible, String names) {
        VisibleGpus gpus = VisibleGpus.listed(TWO, Optional.of(visible));

        assertThat(String.join(" ", gpus.names())).isEqualTo(names);
        assertThat(gpus.origin())
                .isEqualTo("nvidia-smi lists 2 GPUs, and CUDA_VISIBLE_DEVICES='%s' leaves %d"
                        .formatted(visible, gpus.names().size()));
    }

    /** Whatever this machine has: the answer says where it is from, and nothing is thrown. */
    @Test
    void shouldAskThisMachine() throws Exception {
        VisibleGpus gpus = VisibleGpus.here(Map.of("CUDA_VISIBLE_DEVICES", ""));

        assertThat(gpus.names()).isEqualTo(List.of());
        assertThat(gpus.origin()).contains("nvidia-smi");
    }
}
