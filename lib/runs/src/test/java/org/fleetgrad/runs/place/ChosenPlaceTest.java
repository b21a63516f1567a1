package org.fleetgrad.runs.place;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.fleetgrad.runs.output.RunFailedException;
import org.fleetgrad.runs.settings.DeviceSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChosenPlaceTest {

    @ParameterizedTest
    @ValueSource(strings = {"cpu", "cuda", "gpu"})
    void shouldLetOpenWhiskChooseTheGpu(String device) {
        assertThatCode(() -> ChosenPlace.requireAny(DeviceSettings.parse(device)))
                .doesNotThrowAnyException();
    }

    @Test
    void shouldRefuseToAssignGpusInOpenWhisk() {
        assertThatThrownBy(() -> ChosenPlace.requireAny(DeviceSettings.parse("cuda:0,cuda:1")))
                .isInstanceOfSatisfying(
                        RunFailedException.class,
                        failed -> assertThat(failed.isInput()).isTrue())
                .hasMessage(
                        "--device cuda:0,cuda:1: OpenWhisk starts the containers, and a run cannot assign GPUs to them; pass --device cuda if its operator has given all containers one");
    }

    @Test
    void shouldRefuseVariablesThatOpenWhiskDoesNotSet() {
        assertThatThrownBy(() ->
                        ChosenPlace.requireAny(DeviceSettings.parse("cuda").deterministic(true)))
                .hasMessage(
                        "--deterministic: OpenWhisk starts the containers, and a run cannot set their variables; leave it out, or set {CUBLAS_WORKSPACE_CONFIG=:4096:8, NVIDIA_TF32_OVERRIDE=0} in the image");
        assertThatCode(() -> ChosenPlace.requireAny(DeviceSettings.CPU.deterministic(true)))
                .doesNotThrowAnyException();
    }
}
