package org.fleetgrad.runs.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.fleetgrad.runs.output.RunFailedException;
import org.fleetgrad.runs.settings.DeviceSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunGpusTest {

    private static final VisibleGpus THREE = new VisibleGpus(List.of("0", "1", "2"), "nvidia-smi lists 3 GPUs");

    @ParameterizedTest
    @CsvSource({
        "cuda, 'cuda:0 cuda:1 cuda:2 cuda:0 cuda:1'",
        "cuda:1, 'cuda:1 cuda:1 cuda:1 cuda:1 cuda:1'",
        "'cuda:2,cuda:0', 'cuda:2 cuda:0 cuda:2 cuda:0 cuda:2'"
    })
    void shouldAssignGpusInTurn(String device, String assigned) throws Exception {
        RunGpus gpus = RunGpus.of(DeviceSettings.parse(device), THREE);

        List<String> devices = IntStream.range(0, 5)
                .mapToObj(worker -> gpus.ofWorker(worker).orElseThrow().toString())
                .toList();
        assertThat(String.join(" ", devices)).isEqualTo(assigned);
    }

    /** In a program, the GPU that CUDA counts as the second; for Docker, the one that the driver calls 0. */
    @Test
    void shouldNameAGpuForCudaAndForTheDriver() throws Exception {
        RunGpus gpus = RunGpus.of(DeviceSettings.parse("cuda:1"), new VisibleGpus(List.of("GPU-5fa9", "0"), ""));

        assertThat(gpus.ofWorker(4)).contains(new RunGpus.Gpu(1, "0"));
    }

    @Test
    void shouldAskNobodyForTheProcessor() throws Exception {
        RunGpus gpus = RunGpus.here(DeviceSettings.CPU, Map.of());

        assertThat(gpus).isSameAs(RunGpus.NONE);
        assertThat(gpus.ofWorker(0)).isEmpty();
    }

    @Test
    void shouldSayWhatIsHereIfAGpuIsNot() {
        assertThatThrownBy(() -> RunGpus.of(DeviceSettings.parse("cuda:0,cuda:3"), THREE))
                .isInstanceOfSatisfying(
                        RunFailedException.class,
                        failed -> assertThat(failed.isInput()).isTrue())
                .hasMessage(
                        "--device cuda:0,cuda:3: cuda:3 is not here: nvidia-smi lists 3 GPUs, and the last is cuda:2");
    }

    @Test
    void shouldSayWhatToDoWhereNoGpuIs() {
        VisibleGpus none = new VisibleGpus(List.of(), "there is no command nvidia-smi");

        assertThatThrownBy(() -> RunGpus.of(DeviceSettings.parse("cuda"), none))
                .hasMessage(
                        "--device cuda: no GPU is here: there is no command nvidia-smi; install the driver, or leave --device out");
    }
}
