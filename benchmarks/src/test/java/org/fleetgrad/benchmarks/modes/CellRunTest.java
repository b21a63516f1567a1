package org.fleetgrad.benchmarks.modes;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CellRunTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "true|the loss of batch 12 is NaN: training has diverged; try a smaller learning rate",
                "true|the server refused gradient 5: value 3 of 150 of tensor 'conv1.weight' is -Infinity",
                "true|the server refused gradient 5: value 3 of 150 of tensor 'conv1.weight' is NaN",
                "false|the server refused gradient 5: gradient for 'fc1.weight' has 12 values, parameter has 16",
                "false|GET http://127.0.0.1:29500/getParameter failed at try 9"
            })
    void shouldTellDivergenceFromOtherFailures(boolean isDiverged, String error) {
        assertThat(CellRun.saysDiverged(error)).isEqualTo(isDiverged);
    }
}
