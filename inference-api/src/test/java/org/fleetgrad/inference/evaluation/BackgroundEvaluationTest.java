package org.fleetgrad.inference.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.fleetgrad.client.PullResult.Pulled;
import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.datasets.Samples;
import org.fleetgrad.inference.model.AccuracyBoard;
import org.fleetgrad.inference.model.FakeClassifier;
import org.fleetgrad.inference.model.HeldOutAccuracy;
import org.fleetgrad.inference.model.ModelDescription;
import org.fleetgrad.inference.model.NewestParameters;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.messages.PutAccuracyRequest;
import org.fleetgrad.testing.ManualClock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BackgroundEvaluationTest {

    private static final Duration INTERVAL = Duration.ofMillis(500);
    /** Classes 0, 1, 2, 3, 0, 1, 2: versions 0, 1, 2 are right twice of seven, version 3 once. */
    private static final TestSet TEST_SET = new TestSet(
            new Samples(1, 1, 1, new byte[7], new byte[] {0, 1, 2, 3, 0, 1, 2}),
            new ModelDescription(new Normalization(List.of(0f), List.of(1f)), List.of("a", "b", "c", "d")));

    private final AtomicInteger open = new AtomicInteger();
    private final NewestParameters newest = new NewestParameters();
    private final AccuracyBoard accuracies = new AccuracyBoard();
    private final List<PutAccuracyRequest> reported = new ArrayList<>();
    private @Nullable IOException failure;
    private final BackgroundEvaluation evaluation = new BackgroundEvaluation(
            TEST_SET, 3, () -> new FakeClassifier(open), newest, accuracies, this::report, INTERVAL, new ManualClock());

    @Test
    void shouldDoNothingBeforeTheFirstVersion() {
        assertThat(evaluation.round()).isEqualTo(INTERVAL);

        assertThat(evaluation.last()).isEmpty();
        assertThat(open).hasValue(0);
    }

    @Test
    void shouldMeasureAccuracyAndLossOverAllBatches() {
        publish("g", 1);

        evaluation.round();

        // Two samples with the logit 10 at their label, five with 0 there: -log softmax by hand.
        double normalizer = Math.log(Math.exp(10) + 3);
        double loss = (2 * (normalizer - 10) + 5 * normalizer) / 7;
        assertThat(reported).singleElement().satisfies(request -> {
            assertThat(request.generation()).isEqualTo("g");
            assertThat(request.version()).isEqualTo(1);
            assertThat(request.accuracy()).isEqualTo(2 / 7.0);
            assertThat(request.loss()).isCloseTo(loss, within(1e-12));
            assertThat(request.samples()).isEqualTo(7);
        });
        assertThat(evaluation.last().orElseThrow().version()).isEqualTo(new ParameterVersion("g", 1));
        assertThat(accuracies.newest("g")).contains(new HeldOutAccuracy(new ParameterVersion("g", 1), 2 / 7.0));
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
        assertThat(open).hasValue(1);
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
    void shouldPassOverVersionThatDoesNotFit() {
        ParameterVersion version = new ParameterVersion("g", 1);
        newest.put(new Pulled(version, FakeClassifier.parameters(version, Map.of("classes", "[\"only one\"]"))));

        assertThat(evaluation.round()).isEqualTo(INTERVAL);

        assertThat(evaluation.last()).isEmpty();
        assertThat(reported).isEmpty();
    }

    @Test
    void shouldCloseItsInstance() {
        publish("g", 1);
        evaluation.round();

        evaluation.close();

        assertThat(open).hasValue(0);
    }

    @Test
    void shouldRestThreeTimesAsLongAsItWorked() {
        ManualClock clock = new ManualClock();
        BackgroundEvaluation slow = new BackgroundEvaluation(
                TEST_SET,
                3,
                () -> new FakeClassifier(open),
                newest,
                accuracies,
                this::report,
                INTERVAL,
                new TickingClock(clock));
        publish("g", 1);

        assertThat(slow.round()).isEqualTo(Duration.ofMillis(1200));
        assertThat(slow.last().orElseThrow().duration()).isEqualTo(Duration.ofMillis(400));
    }

    /** Each look at the clock takes 400 ms. */
    private static final class TickingClock extends Clock {

        private final ManualClock clock;

        TickingClock(ManualClock clock) {
            this.clock = clock;
        }

        @Override
        public Instant instant() {
            clock.advance(Duration.ofMillis(400));
            return clock.instant();
        }

        @Override
        public ZoneId getZone() {
            return clock.getZone();
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return clock.withZone(zone);
        }
    }

    private void publish(String generation, long number) {
        ParameterVersion version = new ParameterVersion(generation, number);
        newest.put(new Pulled(version, FakeClassifier.parameters(version, Map.of())));
    }

    private void report(PutAccuracyRequest request) throws IOException {
        if (failure != null) {
            throw failure;
        }
        reported.add(request);
    }
}
