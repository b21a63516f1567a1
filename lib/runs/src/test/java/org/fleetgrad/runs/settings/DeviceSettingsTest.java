package org.fleetgrad.runs.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeviceSettingsTest {

    @Test
    void shouldReadTheProcessor() {
        assertThat(DeviceSettings.parse("cpu")).isEqualTo(DeviceSettings.CPU).hasToString("cpu");
    }

    @ParameterizedTest
    @ValueSource(strings = {"cuda", "gpu"})
    void shouldReadAllGpus(String text) {
        assertThat(DeviceSettings.parse(text))
                .isEqualTo(new DeviceSettings(true, List.of(), false))
                .hasToString("cuda");
    }

    @Test
    void shouldReadNamedGpusInTheirOrder() {
        assertThat(DeviceSettings.parse("cuda:2,gpu:0"))
                .isEqualTo(new DeviceSettings(true, List.of(2, 0), false))
                .hasToString("cuda:2,cuda:0");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "tpu",
                "CPU",
                "cpu:0",
                "cuda:",
                "cuda:-1",
                "cuda:1000",
                "cuda:0,",
                "cuda:0,1",
                "cpu,cuda:0",
                "cuda, gpu"
            })
    void shouldRefuseAnythingElse(String text) {
        assertThatThrownBy(() -> DeviceSettings.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "must be cpu, cuda for all GPUs, cuda:0 for one, or cuda:0,cuda:2 for several; it is '%s'",
                        text);
    }

    /** The processor's one thread adds up in one order. */
    @Test
    void shouldSetVariablesForGpusThatRepeatTheirBitsAlone() {
        assertThat(DeviceSettings.parse("cuda:1").deterministic(true).variables())
                .isEqualTo(Map.of("NVIDIA_TF32_OVERRIDE", "0", "CUBLAS_WORKSPACE_CONFIG", ":4096:8"));
        assertThat(DeviceSettings.parse("cuda:1").variables()).isEmpty();
        assertThat(DeviceSettings.CPU.deterministic(true).variables()).isEmpty();
    }

    @Test
    void shouldRefuseAGpuThatIsNamedTwice() {
        assertThatThrownBy(() -> DeviceSettings.parse("cuda:1,gpu:1"))
                .hasMessage("names cuda:1 twice; it is 'cuda:1,gpu:1'");
    }
}
