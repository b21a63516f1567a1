package org.fleetgrad.protocol.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.protocol.work.ReportedProgress.Recent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReportedProgressTest {

    private static final ReportedProgress PROGRESS =
            new ReportedProgress(75, 1500, Optional.of(new Recent(2.25, 0.5, 3)));

    @Test
    void shouldTakeItsStringsOutAndLeaveTheOthers() {
        Map<String, String> metadata = new HashMap<>(PROGRESS.toMap());
        metadata.put("network", "lenet5");

        assertThat(ReportedProgress.take(metadata)).contains(PROGRESS);
        assertThat(metadata).containsOnlyKeys("network");
        assertThat(ReportedProgress.take(metadata)).isEmpty();
    }

    @Test
    void shouldBeWholeWithoutTheRecentSteps() {
        ReportedProgress resumed = new ReportedProgress(75, 1500, Optional.empty());

        assertThat(ReportedProgress.take(new HashMap<>(resumed.toMap()))).contains(resumed);
    }

    @ParameterizedTest
    @CsvSource({
        "trainedSteps,-1,from 0 to 9007199254740992",
        "trainedSamples,9007199254740993,from 0 to 9007199254740992",
        "trainedSamples,many,a whole number",
        "trainedLoss,NaN,a finite number",
        "trainedMeanStaleness,3.5,'from 0 to the worst, which is 3'",
        "trainedWorstStaleness,-1,from 0 to 9007199254740992",
    })
    void shouldRefuseAWrongNumberByItsName(String key, String value, String expected) {
        Map<String, String> metadata = new HashMap<>(PROGRESS.toMap());
        metadata.put(key, value);

        assertThatThrownBy(() -> ReportedProgress.take(metadata))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'%s' must be %s; it is '".formatted(key, expected));
    }

    @Test
    void shouldRefuseAPartWithoutTheRest() {
        assertThatThrownBy(() -> ReportedProgress.take(new HashMap<>(Map.of("trainedSteps", "1"))))
                .hasMessage("the set's metadata have [trainedSteps] and lack 'trainedSamples'");
    }
}
