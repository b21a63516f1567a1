package org.fleetgrad.inference.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.fleetgrad.client.PullResult.Pulled;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.datasets.shard.DatasetDescription.SampleRange;
import org.fleetgrad.datasets.shard.Shard;
import org.fleetgrad.datasets.shard.ShardArchive;
import org.fleetgrad.datasets.shard.Split;
import org.fleetgrad.protocol.HeldOutScore.ScoredVersion;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.messages.RunMessages.PutAccuracyRequest;
import org.fleetgrad.serving.FakeClassifier;
import org.fleetgrad.serving.FakeClassifiers;
import org.fleetgrad.serving.ImageShape;
import org.fleetgrad.serving.evaluation.TinyShards;
import org.fleetgrad.serving.policy.HeldOutScores;
import org.fleetgrad.testing.ManualClock;
import org.fleetgrad.testing.UtcClock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BackgroundEvaluationTest {

    private static final Duration INTERVAL = Duration.ofMillis(500);
    private static final long THREE_IMAGES = 3 * FakeClassifiers.IMAGE_BYTES + 1;
    /** Classes 0, 1, 2, 3, 0, 1, 2: versions 0, 1, 2 are right for two of seven, version 3 for one. */
    private static final Shard SHARD = Shard.of(
            "abcd",
            Split.TEST,
            List.of("a", "b", "c", "d"),
            new Normalization(List.of(0f), List.of(1f)),
            new SampleRange(0, 7, 7),
            new ImageSamples(1, 1, 1, new byte[7], new byte[] {0, 1, 2, 3, 0, 1, 2}));

    @TempDir
    private static Path folder;

    private final FakeClassifiers classifiers = new FakeClassifiers(new ImageShape(1, 1, 1));
    private final NewestParameters newest = new NewestParameters();
    private final HeldOutScores scores = new HeldOutScores();
    private final List<PutAccuracyRequest> reported = new ArrayList<>();
    private @Nullable IOException failure;
    private final BackgroundEvaluation evaluation = new BackgroundEvaluation(
            testSet("test.tar.gz"),
            THREE_IMAGES,
            classifiers,
            newest,
            scores,
            this::report,
            pace(),
            () -> false,
            new ManualClock());

    /** Each look at its clock is an hour after the one before. */
    private static EvaluationPace pace() {
        AtomicLong nanos = new AtomicLong();
        return new EvaluationPace(
                INTERVAL,
                0.05,
                OptionalDouble.empty(),
                () -> nanos.addAndGet(Duration.ofHours(1).toNanos()));
    }

    private static AwaitedTestSet testSet(String file) {
        return new AwaitedTestSet(
                new TestSetReader(new TestShardLocation.Local(folder.resolve(file)), Map.<String, String>of()::get));
    }

    @BeforeAll
    static void write() throws IOException {
        ShardArchive.write(SHARD, folder.resolve("test.tar.gz"));
    }

    @Test
    void shouldLookForTheSamplesWithGrowingPausesAndThenEvaluate() throws IOException {
        BackgroundEvaluation early = new BackgroundEvaluation(
                testSet("late.tar.gz"),
                THREE_IMAGES,
                classifiers,
                newest,
                scores,
                this::report,
                pace(),
                () -> false,
                new ManualClock());
        publish("g", 1);

        assertThat(IntStream.range(0, 7).mapToObj(i -> early.round().toSeconds()))
                .containsExactly(1L, 2L, 4L, 8L, 16L, 30L, 30L);
        assertThat(classifiers.open).hasValue(0);

        ShardArchive.write(TinyShards.shard(2), folder.resolve("late.tar.gz"));
        assertThat(early.round()).as("samples of another network do not count").isEqualTo(Duration.ofSeconds(30));
        assertThat(reported).isEmpty();
        assertThat(early.detail())
                .contains(
                        "the held-out samples of %s do not fit: the network 'fake' takes images of [1, 1, 1], the dataset has [1, 1, 2]"
                                .formatted(folder.resolve("late.tar.gz")));

        ShardArchive.write(SHARD, folder.resolve("late.tar.gz"));
        assertThat(early.round()).isEqualTo(INTERVAL);
        assertThat(early.detail()).isEmpty();
        assertThat(reported).extracting(PutAccuracyRequest::version).containsExactly(1L);
    }

    @Test
    void shouldDoNothingBeforeTheFirstVersion() {
        assertThat(evaluation.round()).isEqualTo(INTERVAL);

        assertThat(evaluation.last()).isEmpty();
        assertThat(classifiers.open).hasValue(0);
    }

    @Test
    void shouldMeasureAccuracyAndLossOverAllBatches() {
        publish("g", 1);

        evaluation.round();

        // Two samples have the logit 10 at their label, five have 0 there: -log softmax by hand.
        double normalizer = Math.log(Math.exp(10) + 3);
        double loss = (2 * (normalizer - 10) + 5 * normalizer) / 7;
        assertThat(reported).singleElement().satisfies(request -> {
            assertThat(request.generation()).isEqualTo("g");
            assertThat(request.version()).isEqualTo(1);
            assertThat(request.accuracy()).isEqualTo(2 / 7.0);
            assertThat(request.loss()).isCloseTo(loss, within(1e-12));
            assertThat(request.samples()).isEqualTo(7);
            assertThat(request.accuracyTop5())
                    .as("four outputs are all among the first five")
                    .isNull();
        });
        assertThat(evaluation.last().orElseThrow().version()).isEqualTo(new ParameterVersion("g", 1));
        ScoredVersion scored = scores.newest("g").orElseThrow();
        assertThat(scored.version()).isEqualTo(new ParameterVersion("g", 1));
        assertThat(scored.score().accuracy()).contains(2 / 7.0);
        assertThat(scored.score().loss().orElseThrow()).isCloseTo(loss, within(1e-12));
    }

    @Test
    void shouldEvaluateEachVersionOnceAndOnlyTheNewest() {
        publish("g", 1);
        publish("g", 3);
        evaluation.round();
        evaluation.round();

        assertThat(reported).extracting(PutAccuracyRequest::version).containsExactly(3L);

        publish("g", 4);
        evaluation.round();
        assertThat(reported).extracting(PutAccuracyRequest::version).containsExactly(3L, 4L);
        assertThat(classifiers.open).hasValue(1);
    }

    /** The report of a run whose model is the best version asks for it. */
    @Test
    void shouldKeepTheBestOutcomeAndOfEquallyGoodOnesTheLater() {
        publish("g", 1);
        evaluation.round();
        publish("g", 3);
        evaluation.round();
        assertThat(evaluation.last().orElseThrow().version().version()).isEqualTo(3);
        assertThat(evaluation.best().orElseThrow().version().version()).isEqualTo(1);
        assertThat(evaluation.best().orElseThrow().details().classes()).isNotNull();

        publish("g", 4);
        evaluation.round();
        assertThat(evaluation.best().orElseThrow().version().version()).isEqualTo(4);
    }

    @Test
    void shouldReportAgainWhenServerWasAway() {
        publish("g", 1);
        failure = new IOException("connection refused");
        evaluation.round();
        assertThat(reported).isEmpty();

        failure = null;
        evaluation.round();
        evaluation.round();

        assertThat(reported).extracting(PutAccuracyRequest::version).containsExactly(1L);
    }

    @Test
    void shouldEvaluateVersionOfFewerClassesThanTheNetworkHasOutputs() {
        ParameterVersion version = new ParameterVersion("g", 1);
        newest.put(new Pulled(version, FakeClassifier.parameters(version, Map.of("classes", "[\"only one\"]"))));

        assertThat(evaluation.round()).isEqualTo(INTERVAL);

        assertThat(reported).extracting(PutAccuracyRequest::version).containsExactly(1L);
    }

    @Test
    void shouldPassOverVersionThatDoesNotFit() {
        ParameterVersion version = new ParameterVersion("g", 1);
        newest.put(new Pulled(
                version, FakeClassifier.parameters(version, Map.of("classes", "[\"a\",\"b\",\"c\",\"d\",\"e\"]"))));

        assertThat(evaluation.round()).isEqualTo(INTERVAL);

        assertThat(evaluation.last()).isEmpty();
        assertThat(reported).isEmpty();
    }

    @Test
    void shouldSayWhyAVersionIsNotEvaluated() {
        ParameterVersion version = new ParameterVersion("g", 1);
        newest.put(new Pulled(
                version, FakeClassifier.parameters(version, Map.of("classes", "[\"a\",\"b\",\"c\",\"d\",\"e\"]"))));
        evaluation.round();

        assertThat(evaluation.detail())
                .contains("version g-1 is not evaluated: the parameter set's metadata 'classes' names 5 classes,"
                        + " the network has 4 outputs");

        publish("g", 2);
        evaluation.round();
        assertThat(evaluation.detail()).isEmpty();
    }

    @Test
    void shouldOpenAnewWhenAVersionNamesAnotherNetwork() throws IOException {
        ParameterVersion version = new ParameterVersion("h", 0);
        BackgroundEvaluation late = new BackgroundEvaluation(
                testSet("other.tar.gz"),
                THREE_IMAGES,
                classifiers,
                newest,
                scores,
                this::report,
                pace(),
                () -> false,
                new ManualClock());
        ShardArchive.write(SHARD, folder.resolve("other.tar.gz"));
        publish("g", 1);
        late.round();
        newest.put(new Pulled(version, FakeClassifier.parameters(version, FakeClassifiers.LARGE)));

        late.round();
        assertThat(late.detail().orElseThrow()).contains("the network 'large' takes images of [1, 1, 2]");
        ShardArchive.write(TinyShards.shard(2), folder.resolve("other.tar.gz"));
        late.round();

        assertThat(reported).extracting(PutAccuracyRequest::generation).containsExactly("g", "h");
        assertThat(classifiers.open).hasValue(1);
    }

    @Test
    void shouldDropTheSetThatItHasEvaluated() {
        publish("g", 1);

        evaluation.round();

        assertThat(newest.get()).isEmpty();
    }

    @Test
    void shouldCloseItsInstance() {
        publish("g", 1);
        evaluation.round();

        evaluation.end();

        assertThat(classifiers.open).hasValue(0);
    }

    @Test
    void shouldWaitWhileWorkersTrainAndEvaluateAtOnceWhenTheyEnd() {
        ManualClock clock = new ManualClock();
        AtomicLong nanos = new AtomicLong();
        AtomicBoolean isTraining = new AtomicBoolean(true);
        BackgroundEvaluation slow = new BackgroundEvaluation(
                testSet("test.tar.gz"),
                THREE_IMAGES,
                classifiers,
                newest,
                scores,
                this::report,
                new EvaluationPace(INTERVAL, 0.05, OptionalDouble.empty(), nanos::get),
                isTraining::get,
                new TickingClock(clock));
        publish("g", 1);
        assertThat(slow.round()).isEqualTo(Duration.ofMillis(1200));
        assertThat(slow.last().orElseThrow().duration()).isEqualTo(Duration.ofMillis(400));

        // Each takes 0.34 s more than its share, of 2 s that are saved up.
        for (long version = 2; version <= 6; version++) {
            publish("g", version);
            nanos.addAndGet(Duration.ofMillis(1200).toNanos());
            assertThat(slow.round()).isEqualTo(Duration.ofMillis(1200));
        }
        publish("g", 7);
        nanos.addAndGet(Duration.ofMillis(1200).toNanos());
        assertThat(slow.round()).as("0.1 s of debt at 0.05").isEqualTo(Duration.ofMillis(250));
        assertThat(reported).hasSize(6);
        isTraining.set(false);
        assertThat(slow.round()).isEqualTo(Duration.ofMillis(1200));

        assertThat(reported).extracting(PutAccuracyRequest::version).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L);
    }

    /** A clock that advances 400 ms with each reading. */
    private static final class TickingClock extends UtcClock {

        private final ManualClock clock;

        TickingClock(ManualClock clock) {
            this.clock = clock;
        }

        @Override
        public Instant instant() {
            clock.advance(Duration.ofMillis(400));
            return clock.instant();
        }
    }

    private void publish(String generation, long number) {
        ParameterVersion version = new ParameterVersion(generation, number);
        newest.put(new Pulled(version, FakeClassifier.parameters(version, Map.of())));
    }

    private void report(PutAccuracyRequest request, Pulled evaluated) throws IOException {
        if (failure != null) {
            throw failure;
        }
        assertThat(evaluated.version().version())
                .as("the parameters are those that were evaluated")
                .isEqualTo(request.version());
        reported.add(request);
    }
}
