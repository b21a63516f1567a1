package org.fleetgrad.protocol.gradient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.NotEmpty;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.work.Cursor;
import org.fleetgrad.protocol.work.WorkPlan;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GradientMetadataTest {

    private static final Map<String, String> VALID = Map.of(
            "worker",
            "w-1",
            "sequence",
            "3",
            "generation",
            "8f3c",
            "baseVersion",
            "41",
            "samples",
            "32",
            "loss",
            "0.25");

    @Test
    void shouldReadWhatPushCarries() {
        assertThat(GradientMetadata.parse(VALID)).isEqualTo(new GradientMetadata("w-1", 3, "8f3c", 41, 32, 0.25));
    }

    @Test
    void shouldWriteKeysOfTheContract() {
        assertThat(new GradientMetadata("w-1", 3, "8f3c", 41, 32, 0.25).toMap()).isEqualTo(VALID);
    }

    @Test
    void shouldIgnoreKeysItDoesNotKnow() {
        assertThat(GradientMetadata.parse(with("format", "pt"))).isEqualTo(GradientMetadata.parse(VALID));
    }

    @Property
    void shouldReadWhatItWrote(
            @ForAll @NotEmpty String worker,
            @ForAll @LongRange(min = 1, max = GradientMetadata.MAX_SEQUENCE) long sequence,
            @ForAll @NotEmpty String generation,
            @ForAll @LongRange(max = Long.MAX_VALUE) long baseVersion,
            @ForAll @LongRange(min = 1, max = WorkPlan.MAX_SAMPLES) long samples,
            @ForAll double loss) {
        GradientMetadata metadata = new GradientMetadata(worker, sequence, generation, baseVersion, samples, loss);
        assertThat(GradientMetadata.parse(metadata.toMap())).isEqualTo(metadata);
    }

    @Test
    void shouldReadHowMuchTheSamplesCount() {
        GradientMetadata metadata = GradientMetadata.parse(with("lossWeight", "2.5"));

        assertThat(metadata.lossWeight()).hasValue(2.5);
        assertThat(metadata.weight()).isEqualTo(2.5);
        assertThat(metadata.toMap()).containsEntry("lossWeight", "2.5");
        assertThat(metadata.reaching(Optional.of(new Cursor(0, 0, 32)))
                        .on(new ParameterVersion("g", 1))
                        .lossWeight())
                .hasValue(2.5);
        assertThat(GradientMetadata.parse(VALID).weight()).isEqualTo(32);
    }

    @Test
    void shouldCarryTheLocalStepsOfAPush() {
        GradientMetadata metadata = GradientMetadata.parse(with("localSteps", "8"));

        assertThat(metadata.localSteps()).hasValue(8);
        assertThat(metadata.toMap()).containsEntry("localSteps", "8");
        assertThat(metadata.reaching(Optional.of(new Cursor(0, 0, 32)))
                        .on(new ParameterVersion("g", 1))
                        .localSteps())
                .hasValue(8);
        assertThat(GradientMetadata.parse(VALID).localSteps()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 8, 32})
    void shouldTakeAsManyLocalStepsAsTheRunMakesOrFewer(long steps) {
        assertThatNoException()
                .isThrownBy(() -> GradientMetadata.parse(with("localSteps", Long.toString(steps)))
                        .requireLocalSteps(32));
        assertThatNoException().isThrownBy(() -> GradientMetadata.parse(VALID).requireLocalSteps(1));
    }

    /** A gradient would be taken by the rate of the distance that several steps went, and the distance by that of a gradient. */
    @Test
    void shouldRefuseAPushOfAnotherKindThanTheRunsAndNameBothNumbers() {
        GradientMetadata eight = GradientMetadata.parse(with("localSteps", "8"));

        assertThatThrownBy(() -> GradientMetadata.parse(VALID).requireLocalSteps(32))
                .hasMessageContainingAll(
                        "lack 'localSteps', as those of 1 step do", "make up to 32 steps", "ps.local.steps");
        assertThatThrownBy(() -> eight.requireLocalSteps(1))
                .hasMessageContainingAll("have 'localSteps' 8", "make 1 step between two pushes", "ps.local.steps");
        assertThatThrownBy(() -> eight.requireLocalSteps(7))
                .hasMessage(
                        "the gradient's metadata 'localSteps' must be from 1 to the run's 7 (ps.local.steps); it is '8'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1.0", "NaN", "Infinity", "1.0E29"})
    void shouldRefuseALossWeightThatIsNone(String weight) {
        assertThatThrownBy(() -> GradientMetadata.parse(with("lossWeight", weight)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the gradient's metadata 'lossWeight' must be from 0 to 1.0E28; it is '%s'", weight);
    }

    @ParameterizedTest
    @ValueSource(strings = {"worker", "sequence", "generation", "baseVersion", "samples", "loss"})
    void shouldNameKeyThatIsMissing(String key) {
        Map<String, String> map = new HashMap<>(VALID);
        map.remove(key);
        assertThatThrownBy(() -> GradientMetadata.parse(map))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("the gradient's metadata lacks '%s'; it has [".formatted(key));
    }

    @Test
    void shouldListKeysThatAreThereSorted() {
        assertThatThrownBy(() -> GradientMetadata.parse(Map.of("worker", "w", "samples", "1", "loss", "1")))
                .hasMessage("the gradient's metadata lacks 'sequence'; it has [loss, samples, worker]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "worker      | ''                    | a worker's id",
                "generation  | ''                    | a generation",
                "sequence    | 0                     | from 1 to 9007199254740992",
                "sequence    | 9007199254740993      | from 1 to 9007199254740992",
                "sequence    | 9223372036854775807   | from 1 to 9007199254740992",
                "sequence    | 1.0                   | a whole number",
                "sequence    | 9223372036854775808   | a whole number",
                "baseVersion | -1                    | 0 or more",
                "baseVersion | ''                    | a whole number",
                "samples     | 0                     | from 1 to 1000000000",
                "samples     | 1000000001            | from 1 to 1000000000",
                "samples     | 9223372036854775807   | from 1 to 1000000000",
                "samples     | 0x10                  | a whole number",
                "loss        | NaN                   | a finite number",
                "loss        | -Infinity             | a finite number",
                "loss        | low                   | a number"
            })
    void shouldNameKeyRuleAndValue(String key, String value, String expected) {
        assertThatThrownBy(() -> GradientMetadata.parse(with(key, value)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the gradient's metadata '%s' must be %s; it is '%s'".formatted(key, expected, value));
    }

    @Test
    void shouldNotCarryLineBreaksOrMegabytesIntoMessages() {
        assertThatThrownBy(() -> GradientMetadata.parse(with("sequence", "1\n" + "9".repeat(100_000))))
                .message()
                .doesNotContain("\n")
                .hasSizeLessThan(500);
    }

    private static Map<String, String> with(String key, String value) {
        Map<String, String> map = new HashMap<>(VALID);
        map.put(key, value);
        return map;
    }
}
