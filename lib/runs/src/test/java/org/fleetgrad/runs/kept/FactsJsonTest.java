package org.fleetgrad.runs.kept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FactsJsonTest {

    private static final byte[] WHOLE = FactsJson.write(ExampleFacts.of("first"));

    @Test
    void shouldReadWhatItWrote() {
        for (RunFacts facts : List.of(
                ExampleFacts.of("first"),
                ExampleFacts.running("second", RunProcess.current()),
                RunFacts.begun("demo", RunLabel.NONE, ExampleFacts.BEGAN, RunProcess.NONE, Map.of()),
                ExampleFacts.of("third").ending(new RunEnd(RunState.FAILED, ExampleFacts.BEGAN, "no such folder")))) {
            assertThat(FactsJson.read(FactsJson.write(facts))).isEqualTo(facts);
        }
    }

    @Test
    void shouldReadOrRefuseEachBeginningOfAFile() {
        for (int length = 0; length < WHOLE.length; length++) {
            byte[] torn = new String(WHOLE, 0, length, StandardCharsets.UTF_8).getBytes(StandardCharsets.UTF_8);
            assertThatIllegalArgumentException().isThrownBy(() -> FactsJson.read(torn));
        }
    }

    @Property
    void shouldReadOrRefuseADamagedFile(@ForAll @IntRange(max = 1 << 20) int at, @ForAll byte value) {
        byte[] damaged = WHOLE.clone();
        damaged[at % damaged.length] = value;
        try {
            RunFacts facts = FactsJson.read(damaged);
            assertThat(facts.label().name().orElse("")).doesNotContainPattern("\\p{Cntrl}");
        } catch (IllegalArgumentException refused) {
            assertThat(refused.getMessage()).isNotEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "null",
                "{}",
                "{\"format\": 2}",
                "{\"format\": 1}",
                "{\"format\": 1, \"command\": \"train\", \"began\": \"yesterday\"}",
                "{\"format\": 1, \"command\": 3, \"began\": \"2026-01-02T03:04:05Z\"}",
                "{\"format\": 1e999}"
            })
    void shouldRefuseWhatIsNoFacts(String json) {
        assertThatIllegalArgumentException().isThrownBy(() -> FactsJson.read(json.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void shouldRefuseNestedArraysAndNumbersWithoutAnEnd() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FactsJson.read("[".repeat(200_000).getBytes(StandardCharsets.UTF_8)));
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> FactsJson.read(("{\"format\": " + "9".repeat(200_000)).getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void shouldReadNoControlCharacterOfASettingOrAReason() {
        String json = new String(WHOLE, StandardCharsets.UTF_8)
                .replace("\"lenet5\"", "\"\\u001b[31mlenet5\"")
                .replace("\"digits\"", "\"\\u0007digits\"")
                .replace("\"learningRate\" : \"0.01\"", "\"learning\\u001bRate\" : \"\\u001b]0;title\\u0007\"")
                .replace("\"reason\" : \"\"", "\"reason\" : \"\\u001b[2J\"");

        RunFacts facts = FactsJson.read(json.getBytes(StandardCharsets.UTF_8));

        assertThat(facts.network()).isEqualTo("\uFFFD[31mlenet5");
        assertThat(facts.toString()).doesNotContain("\u001b").doesNotContain("\u0007");
        assertThat(facts.settings()).containsKey("learning\uFFFDRate");
        assertThat(facts.end().orElseThrow().reason()).isEqualTo("\uFFFD[2J");
    }

    @Test
    void shouldRefuseAnEscapeSequenceInAName() {
        String json = new String(WHOLE, StandardCharsets.UTF_8).replace("\"first\"", "\"\\u001b[31mfirst/../..\"");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> FactsJson.read(json.getBytes(StandardCharsets.UTF_8)))
                .withMessageContaining("must not contain /");
    }

    @Test
    void shouldCutWhatIsTooLong() {
        RunFacts facts = new RunFacts(
                "train",
                RunLabel.NONE,
                Instant.EPOCH,
                RunProcess.NONE,
                Map.of("classWeights", "1,".repeat(100_000)),
                "graph?g=" + "x".repeat(1 << 20),
                "digits",
                Optional.empty(),
                Map.of(),
                Optional.empty());

        assertThat(FactsJson.write(facts)).hasSizeLessThan(FactsFile.MOST_BYTES);
        assertThat(FactsJson.read(FactsJson.write(facts)).network()).startsWith("graph?g=xxx");
    }
}
