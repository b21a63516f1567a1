package org.fleetgrad.inference.shadow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.networks.Question.Loss;
import org.fleetgrad.networks.Question.Regression;
import org.fleetgrad.networks.SeriesTask;
import org.fleetgrad.networks.Task.ImageClassification;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.serving.ImageShape;
import org.fleetgrad.serving.Images;
import org.fleetgrad.serving.ModelDescription;
import org.fleetgrad.serving.PredictionOutcome;
import org.fleetgrad.serving.PredictionOutcome.NoVersion;
import org.fleetgrad.serving.PredictionResult;
import org.fleetgrad.serving.ServedNetwork;
import org.fleetgrad.serving.policy.WantedVersion;
import org.junit.jupiter.api.Test;

/** The newest version beside the one that answers, on a simulated clock. */
class ShadowTest {

    private static final long MS = 1_000_000;
    private static final ParameterVersion SERVED = new ParameterVersion("g", 1);
    private static final ParameterVersion NEWEST = new ParameterVersion("g", 2);
    private static final List<String> CLASSES = List.of("cat", "dog");

    private final List<ParameterVersion> held = new ArrayList<>(List.of(SERVED, NEWEST));
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private int queued;
    private long now;
    private double random;
    private long cost = MS;
    /** What the newest version says. */
    private PredictionOutcome said = new NoVersion();

    private final ShadowBudget budget = new ShadowBudget(0.1);
    private final Shadow shadow = new Shadow(
            budget, new Shadow.Model(() -> held, this::predict, () -> queued), tasks::add, () -> now, () -> random);

    private PredictionOutcome predict(WantedVersion wanted, Images images) {
        assertThat(wanted).isEqualTo(new WantedVersion.Named("g", 2));
        now += cost;
        return said;
    }

    private static Images images(int count) {
        return new Images(new ImageShape(1, 1, 1), new float[count]);
    }

    private static PredictionResult result(ParameterVersion version, int... classes) {
        float[] logits = new float[2 * classes.length];
        for (int i = 0; i < classes.length; i++) {
            logits[2 * i + classes[i]] = 1;
        }
        return new PredictionResult(
                version,
                new ServedNetwork("fake", new ImageClassification(List.of(1, 1, 1), 2), 1),
                new ModelDescription(new Normalization(List.of(0f), List.of(1f)), CLASSES),
                classes.length,
                logits,
                List.of());
    }

    private void answer(int... classes) {
        budget.served(classes.length, classes.length * 10L * MS);
        shadow.answered(images(classes.length), result(SERVED, classes));
    }

    private void runTasks() {
        while (!tasks.isEmpty()) {
            tasks.remove().run();
        }
    }

    @Test
    void shouldCountThePredictionsThatDiffer() {
        budget.served(1, 10_000 * MS);
        said = result(NEWEST, 0, 1, 1, 0);
        answer(0, 0, 1, 1);
        runTasks();
        answer(0, 1, 1, 0);
        runTasks();

        assertThat(shadow.last()).containsExactly(new PairFigures(SERVED, NEWEST, 8, 2, Optional.empty()));
        assertThat(shadow.last().get(0).disagreement()).isEqualTo(0.25);
        assertThat(shadow.samples()).isEqualTo(8);
        assertThat(shadow.differing()).isEqualTo(2);
        assertThat(shadow.dropped()).isZero();
        assertThat(budget.spentNanos()).isEqualTo(2 * MS);
    }

    @Test
    void shouldCompareNothingWhenTheNewestAnswers() {
        budget.served(1, 10_000 * MS);
        held.remove(NEWEST);
        answer(0);
        held.clear();
        answer(0);

        assertThat(tasks).isEmpty();
        assertThat(shadow.dropped()).isZero();
    }

    /** Without a share nothing is ever compared, whatever the random number is. */
    @Test
    void shouldTakeTheShareOfTheRequestsOnly() {
        budget.served(1, 10_000 * MS);
        random = 0.1;
        answer(0);
        assertThat(tasks).isEmpty();
        random = 0.0999;
        answer(0);
        assertThat(tasks).hasSize(1);

        Shadow off = new Shadow(
                new ShadowBudget(0),
                new Shadow.Model(() -> held, this::predict, () -> 0),
                task -> {
                    throw new AssertionError("no share");
                },
                () -> now,
                () -> 0);
        off.answered(images(1), result(SERVED, 0));
    }

    @Test
    void shouldLeaveOutRequestsWhileOthersWaitOrOneIsCompared() {
        budget.served(1, 10_000 * MS);
        queued = 1;
        answer(0);
        assertThat(tasks).isEmpty();
        assertThat(shadow.dropped()).isEqualTo(1);

        queued = 0;
        answer(0);
        answer(0);
        assertThat(tasks).hasSize(1);
        assertThat(shadow.dropped()).isEqualTo(2);

        said = result(NEWEST, 0);
        runTasks();
        answer(0);
        assertThat(tasks).hasSize(1);
    }

    @Test
    void shouldGoOnAfterARefusalAndAfterABug() {
        budget.served(1, 10_000 * MS);
        answer(0);
        runTasks();
        assertThat(shadow.dropped()).isEqualTo(1);
        assertThat(shadow.last()).isEmpty();

        held.set(1, new ParameterVersion("g", 3));
        Shadow failing = new Shadow(
                budget,
                new Shadow.Model(
                        () -> held,
                        (wanted, images) -> {
                            throw new IllegalStateException("a bug");
                        },
                        () -> 0),
                Runnable::run,
                () -> now,
                () -> 0);
        failing.answered(images(1), result(SERVED, 0));
        failing.answered(images(1), result(SERVED, 0));
        assertThat(failing.dropped()).isEqualTo(2);
    }

    /** The whole of it: of 20,000 requests of any size, the newest version being three times as slow, within a tenth of the time. */
    @Test
    void shouldCostAtMostTheShareThatItWasGiven() {
        Random requests = new Random(1);
        cost = 0;
        long longest = 0;
        int compared = 0;
        for (int i = 0; i < 20_000; i++) {
            int[] classes = new int[1 + requests.nextInt(8)];
            said = result(NEWEST, classes);
            cost = classes.length * 30L * MS;
            random = requests.nextDouble();
            answer(classes);
            longest = tasks.isEmpty() ? longest : Math.max(longest, cost);
            compared += tasks.size();
            runTasks();
            assertThat((double) budget.spentNanos()).isLessThanOrEqualTo(0.1 * (double) budget.servedNanos() + longest);
        }
        // A tenth of the requests at three times the time would be three tenths of the time: a third of them fits.
        assertThat(compared).isBetween(500, 1_000);
        assertThat(shadow.dropped()).isGreaterThan(900);
        assertThat(shadow.differing()).isZero();
    }

    @Test
    void shouldRememberThePairsThatWereComparedLast() {
        Disagreements disagreements = new Disagreements();
        for (int i = 0; i <= Disagreements.MOST_PAIRS; i++) {
            disagreements.compare(result(SERVED, 0), result(new ParameterVersion("g", 10 + i), 1));
        }

        assertThat(disagreements.last()).hasSize(Disagreements.MOST_PAIRS);
        assertThat(disagreements.last().get(0).shadow().version()).isEqualTo(10 + Disagreements.MOST_PAIRS);
        assertThat(disagreements.samples()).isEqualTo(Disagreements.MOST_PAIRS + 1);
    }

    @Test
    void shouldMeasureTheDifferenceOfNumbersButNotOfADivergedOne() {
        Disagreements disagreements = new Disagreements();
        disagreements.compare(numbers(SERVED, 1, 2), numbers(NEWEST, 1, 5));
        disagreements.compare(numbers(SERVED, 1), numbers(NEWEST, Float.NaN));
        disagreements.compare(numbers(SERVED, 1), result(NEWEST, 1));

        PairFigures pair = disagreements.last().get(0);
        assertThat(disagreements.last()).hasSize(1);
        assertThat(pair.samples()).isEqualTo(2);
        assertThat(pair.differing()).isEqualTo(1);
        assertThat(pair.difference().orElseThrow()).isCloseTo(1.5, within(1e-9));
    }

    private static PredictionResult numbers(ParameterVersion version, float... values) {
        return new PredictionResult(
                version,
                new ServedNetwork("number", new SeriesTask(1, 1, new Regression(Loss.SQUARED)), 1),
                ModelDescription.NONE,
                values.length,
                values,
                List.of());
    }
}
