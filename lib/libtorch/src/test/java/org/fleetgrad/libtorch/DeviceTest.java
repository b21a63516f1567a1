package org.fleetgrad.libtorch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.fleetgrad.networks.Networks;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeviceTest {

    @Test
    void shouldReadTheProcessor() {
        assertThat(Device.parse("cpu")).isEqualTo(Device.CPU).hasToString("cpu");
    }

    @ParameterizedTest
    @CsvSource({"gpu, 0", "cuda, 0", "gpu:0, 0", "gpu:1, 1", "cuda:0, 0", "cuda:12, 12"})
    void shouldReadGpus(String text, int index) {
        assertThat(Device.parse(text)).isEqualTo(new Device(true, index)).hasToString("cuda:" + index);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "CPU", "cpu:0", "tpu", "gpu:", "gpu:-1", "gpu:1000", "cuda 0", " cpu", "gpu:0x1"})
    void shouldRefuseAnythingElse(String text) {
        assertThatThrownBy(() -> Device.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("device must be cpu, gpu or cuda:0 (any number); it is '%s'", text);
    }

    /** No machine has a thousand GPUs, so the test does not depend on the machine. */
    @Test
    void shouldSayWhichGpuIsAbsent() {
        assertThatThrownBy(() -> Libtorch.open(Networks.usual("lenet5"), Device.parse("cuda:999")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching(
                        "device cuda:999 does not exist: libtorch sees (no GPU|\\d+ GPUs, the last is cuda:\\d+); write .*");
    }

    @Test
    void shouldSayWhatToDoWhereThereIsNoGpu() {
        assertThat(Device.parse("gpu").absence(0))
                .contains("device cuda:0 does not exist: libtorch sees no GPU; write cpu, or run the worker's GPU image"
                        + " on a machine with one (docker run --gpus all)");
    }

    @Test
    void shouldSayWhichGpusThereAre() {
        assertThat(Device.parse("cuda:2").absence(2))
                .contains(
                        "device cuda:2 does not exist: libtorch sees 2 GPUs, the last is cuda:1; write one of those, or cpu");
        assertThat(Device.parse("cuda:1").absence(2)).isEmpty();
    }
}
