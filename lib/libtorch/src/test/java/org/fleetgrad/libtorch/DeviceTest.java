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
                        "device cuda:999 does not exist: (this libtorch is the processor's|libtorch for CUDA sees no GPU|libtorch sees \\d+ GPUs, the last is cuda:\\d+); write .*");
    }

    @Test
    void shouldSayWhereLibtorchForCudaIsFrom() {
        assertThat(Device.parse("gpu").absence(0, false))
                .contains(
                        "device cuda:0 does not exist: this libtorch is the processor's; write cpu, or use libtorch for"
                                + " CUDA: the worker's GPU image, which docker/build gpu makes, or a folder of docker/libtorch-cuda");
    }

    @Test
    void shouldSayWhatToDoWhereThereIsNoGpu() {
        assertThat(Device.parse("gpu").absence(0, true))
                .contains(
                        "device cuda:0 does not exist: libtorch for CUDA sees no GPU; write cpu, or check that nvidia-smi"
                                + " lists one here: a container gets it by docker run --gpus");
    }

    @Test
    void shouldSayWhichGpusThereAre() {
        assertThat(Device.parse("cuda:2").absence(2, true))
                .contains(
                        "device cuda:2 does not exist: libtorch sees 2 GPUs, the last is cuda:1; write one of those, or cpu");
        assertThat(Device.parse("cuda:1").absence(2, true)).isEmpty();
    }
}
