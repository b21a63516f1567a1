package org.fleetgrad.runs.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CheckpointPaceTest {

    @Test
    void shouldReadATimeOrANumberOfSteps() {
        assertThat(CheckpointPace.parse("90s").environment())
                .isEqualTo(Map.of("PS_DURABILITY_CHECKPOINTINTERVAL", "1m30s"));
        assertThat(CheckpointPace.parse("500").environment())
                .isEqualTo(Map.of("PS_DURABILITY_CHECKPOINTINTERVAL", "1d", "PS_DURABILITY_CHECKPOINTVERSIONS", "500"));
        assertThat(CheckpointPace.DEFAULT.environment()).isEqualTo(Map.of("PS_DURABILITY_CHECKPOINTINTERVAL", "10s"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0|there must be 1 step or more between two checkpoints; there are 0",
                "0s|the time between two checkpoints must be above 0; it is 0s",
                "often|often' is neither a duration such as 30s nor a number of steps such as 500",
                "-1|-1' is neither a duration such as 30s nor a number of steps such as 500"
            })
    void shouldSayWhatToWrite(String text, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CheckpointPace.parse(text))
                .withMessageContaining(message);
    }
}
