package org.fleetgrad.cli.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OtherProgramTest {

    @ParameterizedTest
    @ValueSource(strings = {"--device cuda:0", "--data DIR --device gpu --json", "--device=cuda:1 --json"})
    void shouldSeeThatAProgramComputesOnAGpu(String words) {
        assertThat(OtherProgram.isOnGpu(List.of(words.split(" ")))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "--device cpu", "--device=cpu", "--data cuda", "--device"})
    void shouldLeaveOtherProgramsTheirLibtorch(String words) {
        assertThat(OtherProgram.isOnGpu(List.of(words.split(" ")))).isFalse();
    }
}
