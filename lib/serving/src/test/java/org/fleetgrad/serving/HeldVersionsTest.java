package org.fleetgrad.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.protocol.HeldOutScore;
import org.fleetgrad.protocol.HeldOutScore.ScoredVersion;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.serving.PredictionOutcome.NoVersion;
import org.fleetgrad.serving.PredictionOutcome.NotHeld;
import org.fleetgrad.serving.policy.HeldOutScores;
import org.fleetgrad.serving.policy.VersionPolicy;
import org.fleetgrad.serving.policy.WantedVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which versions a model holds, and which one answers, under each policy. */
class HeldVersionsTest {

    private static final ImageShape SHAPE = new ImageShape(1, 2, 2);

    private final FakeClassifiers classifiers = new FakeClassifiers(SHAPE);
    private final Map<ParameterVersion, HeldOutScore> live = new HashMap<>();
    private final HeldOutScores scores = new HeldOutScores(version -> Optional.ofNullable(live.get(version)));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // Version 2 is the best of all, 4 is within 0.05 of it; 3, 5 and 6 are worse, 7 is not evaluated.
                "latest    | 2 4 6 7 | 7",
                "previous  | 2 5 6 7 | 6",
                "best      | 2 4 6 7 | 2",
                "gate:0.05 | 2 4 6 7 | 4",
                "gate:0    | 2 4 6 7 | 2",
                "gate:1    | 2 4 6 7 | 6",
                "pinned:3  | 2 3 6 7 | 3"
            })
    void shouldHoldWhatThePolicyNeedsTheBestAndTheNewest(String policy, String held, long answering) {
        LiveModel model = model(4, policy);
        double[] evaluated = {0, 0.5, 0.98, 0.6, 0.95, 0.4, 0.7};
        for (int number = 1; number <= 7; number++) {
            swap(model, "g", number);
            if (number < evaluated.length) {
                evaluate("g", number, evaluated[number]);
            }
        }

        assertThat(numbers(model)).isEqualTo(held);
        assertThat(answer(model, WantedVersion.BY_POLICY)).isEqualTo(version("g", answering));
        assertThat(model.version()).contains(version("g", answering));
        assertThat(classifiers.open).hasValue(4);
    }

    /** A policy that changes to best must not wait for the next evaluation. */
    @Test
    void shouldAnswerWithTheBestEvaluatedVersionAtOnceWhenThePolicyChanges() {
        LiveModel model = model(4, "latest");
        for (int number = 1; number <= 3; number++) {
            swap(model, "g", number);
            evaluate("g", number, number == 2 ? 0.9 : 0.5);
        }
        LongStream.rangeClosed(4, 500).forEach(number -> swap(model, "g", number));
        assertThat(answer(model, WantedVersion.BY_POLICY)).isEqualTo(version("g", 500));

        model.setPolicy(VersionPolicy.valueOf("best"));

        assertThat(answer(model, WantedVersion.BY_POLICY)).isEqualTo(version("g", 2));
    }

    @Test
    void shouldHoldEvaluatedVersionsSpacedOverTheRun() {
        LiveModel model = model(16, "latest");
        for (int number = 1; number <= 1000; number++) {
            swap(model, "g", number);
            if (number % 10 == 0) {
                evaluate("g", number, number == 130 ? 0.95 : 0.9);
            }
        }

        List<Long> held =
                model.versions().stream().map(ParameterVersion::version).toList();
        assertThat(held).hasSize(16).endsWith(997L, 998L, 999L, 1000L).contains(130L);
        List<Long> spaced = held.stream().filter(number -> number % 10 == 0).toList();
        assertThat(spaced).hasSizeGreaterThanOrEqualTo(11);
        for (int i = 1; i < spaced.size(); i++) {
            assertThat(spaced.get(i) - spaced.get(i - 1)).as("%s", spaced).isLessThanOrEqualTo(160);
        }
    }

    @Test
    void shouldHoldFourOfALargeNetworkAndMoreOfASmallOne() {
        long bytes =
                FakeClassifier.parameters(version("g", 1), Map.of()).layout().byteLength();
        LiveModel few = model(new HeldLimit(16, bytes), "latest");
        LiveModel more = model(new HeldLimit(16, 9 * bytes), "latest");
        for (int number = 1; number <= 20; number++) {
            swap(few, "g", number);
            swap(more, "g", number);
        }

        assertThat(few.versions()).hasSize(4);
        assertThat(more.versions()).hasSize(9);
    }

    /** By the held-out scores 2 is the best; by the labels of its answers it is worse than 1. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "best | - | 2",
                "best | 0.85 | 1",
                "gate:0.04 | - | 3",
                "gate:0.04 | 0.85 | 3",
                "gate:0.01 | 0.85 | 1"
            })
    void shouldChooseByTheLiveScoreOnceThereIsOne(String policy, String ofSecond, long answering) {
        LiveModel model = model(4, policy);
        double[] evaluated = {0, 0.9, 0.92, 0.88};
        for (int number = 1; number <= 3; number++) {
            swap(model, "g", number);
            evaluate("g", number, evaluated[number]);
        }
        if (!ofSecond.equals("-")) {
            live.put(version("g", 2), HeldOutScore.ofAccuracy(Double.parseDouble(ofSecond)));
        }

        assertThat(model.version()).contains(version("g", answering));
    }

    @Test
    void shouldHoldTheVersionThatIsBeingEvaluatedUntilItsAccuracyIsKnown() {
        LiveModel model = model(3, "best");
        swap(model, "g", 1);
        evaluate("g", 1, 0.5);
        swap(model, "g", 2);
        scores.expect(version("g", 2));
        for (int number = 3; number <= 9; number++) {
            swap(model, "g", number);
        }
        assertThat(numbers(model)).isEqualTo("1 2 9");

        evaluate("g", 2, 0.8);
        swap(model, "g", 10);

        assertThat(numbers(model)).isEqualTo("2 9 10");
        assertThat(answer(model, WantedVersion.BY_POLICY)).isEqualTo(version("g", 2));
    }

    @Test
    void shouldAnswerWithTheVersionThatARequestAsksFor() {
        LiveModel model = model(4, "latest");
        LongStream.rangeClosed(1, 6).forEach(number -> swap(model, "g", number));

        assertThat(answer(model, WantedVersion.parse("4"))).isEqualTo(version("g", 4));
        assertThat(answer(model, WantedVersion.parse("g-3"))).isEqualTo(version("g", 3));
        assertThat(model.predict(WantedVersion.parse("2"), image()))
                .isEqualTo(new NotHeld(WantedVersion.parse("2"), model.versions()));
        assertThat(model.predict(WantedVersion.parse("h-4"), image())).isInstanceOf(NotHeld.class);
    }

    @Test
    void shouldLookAtTheNewestGenerationOnly() {
        LiveModel model = model(4, "best");
        swap(model, "old", 8);
        evaluate("old", 8, 0.99);
        swap(model, "new", 0);
        assertThat(answer(model, WantedVersion.BY_POLICY)).isEqualTo(version("new", 0));

        evaluate("new", 0, 0.1);
        swap(model, "new", 1);

        assertThat(answer(model, WantedVersion.BY_POLICY)).isEqualTo(version("new", 0));
        assertThat(answer(model, WantedVersion.parse("8"))).isEqualTo(version("old", 8));
    }

    @Test
    void shouldAnswerNothingBeforeThePinnedVersionComes() {
        LiveModel model = model(2, "pinned:g-2");
        swap(model, "g", 1);
        assertThat(model.predict(WantedVersion.BY_POLICY, image())).isEqualTo(new NoVersion());

        swap(model, "g", 2);
        LongStream.rangeClosed(3, 9).forEach(number -> swap(model, "g", number));

        assertThat(answer(model, WantedVersion.BY_POLICY)).isEqualTo(version("g", 2));
        assertThat(numbers(model)).isEqualTo("2 9");
    }

    @Test
    void shouldChangeThePolicyWithTheNextRequest() {
        LiveModel model = model(3, "latest");
        LongStream.rangeClosed(1, 3).forEach(number -> swap(model, "g", number));
        assertThat(answer(model, WantedVersion.BY_POLICY)).isEqualTo(version("g", 3));

        model.setPolicy(VersionPolicy.valueOf("pinned:1"));
        assertThat(answer(model, WantedVersion.BY_POLICY)).isEqualTo(version("g", 1));

        assertThatThrownBy(() -> model.setPolicy(VersionPolicy.valueOf("pinned:9")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the version 9 is not held, so it cannot be pinned; held are [g-1, g-2, g-3]");
        assertThat(model.policy().text()).isEqualTo("pinned:1");
    }

    @Test
    void shouldNormalizeForTheVersionThatAnswersWhenRequestsAreJoined() {
        LiveModel model = model(2, "latest");
        swap(model, "g", 3);
        float[] pixels = {0, 255, 0, 255};

        List<PredictionOutcome> outcomes = model.predict(
                WantedVersion.BY_POLICY, List.of(new Images(SHAPE, pixels), new Images(SHAPE, new float[8])));

        assertThat(outcomes)
                .hasSize(2)
                .allSatisfy(outcome ->
                        assertThat(((PredictionResult) outcome).version()).isEqualTo(version("g", 3)));
        assertThat(((PredictionResult) outcomes.get(1)).scores()).hasSize(2);
        assertThat(pixels).as("only read").containsExactly(0, 255, 0, 255);
    }

    @Test
    void shouldRefuseToHoldFewerThanTwo() {
        assertThatThrownBy(() -> model(1, "latest"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "a model holds 2 versions or more, since one answers while the next one loads; asked for were 1");
    }

    private LiveModel model(int mostHeld, String policy) {
        return model(HeldLimit.ofVersions(mostHeld), policy);
    }

    private LiveModel model(HeldLimit limit, String policy) {
        ModelDescription description = new ModelDescription(
                new Normalization(List.of(0.5f), List.of(0.5f)), List.of("zero", "one", "two", "three"));
        return new LiveModel(
                classifiers,
                network -> description,
                100 * FakeClassifiers.IMAGE_BYTES,
                limit,
                VersionPolicy.valueOf(policy),
                scores);
    }

    private static void swap(LiveModel model, String generation, long number) {
        ParameterVersion version = version(generation, number);
        model.swapTo(version, FakeClassifier.parameters(version, Map.of()));
    }

    private void evaluate(String generation, long number, double accuracy) {
        scores.record(new ScoredVersion(version(generation, number), HeldOutScore.ofAccuracy(accuracy)));
    }

    /** Returns the version that an answer names, after a check that the logits are that version's. */
    private static ParameterVersion answer(LiveModel model, WantedVersion wanted) {
        PredictionResult answer = (PredictionResult) model.predict(wanted, image());
        assertThat(answer.scores().get(0).index())
                .isEqualTo(Math.floorMod(answer.version().version(), FakeClassifier.CLASSES));
        return answer.version();
    }

    private static Images image() {
        return new Images(SHAPE, new float[4]);
    }

    private static String numbers(LiveModel model) {
        return String.join(
                " ",
                model.versions().stream()
                        .map(version -> Long.toString(version.version()))
                        .toList());
    }

    private static ParameterVersion version(String generation, long number) {
        return new ParameterVersion(generation, number);
    }
}
