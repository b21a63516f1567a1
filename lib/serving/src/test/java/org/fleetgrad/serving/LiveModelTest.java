package org.fleetgrad.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.serving.policy.WantedVersion;
import org.junit.jupiter.api.Test;

class LiveModelTest {

    private static final ImageShape SHAPE = new ImageShape(1, 2, 2);
    private static final ModelDescription DESCRIPTION = new ModelDescription(
            new Normalization(List.of(0.5f), List.of(0.5f)), List.of("zero", "one", "two", "three"));

    private final FakeClassifiers classifiers = new FakeClassifiers(SHAPE);
    private final LiveModel model = new LiveModel(classifiers, network -> DESCRIPTION, 3 * FakeClassifiers.IMAGE_BYTES);

    @Test
    void shouldOpenNothingAndAnswerNothingBeforeTheFirstVersion() {
        assertThat(classify(SHAPE, 1)).isEmpty();
        assertThat(model.version()).isEmpty();
        assertThat(classifiers.open).hasValue(0);
    }

    @Test
    void shouldAnswerWithTheNewestVersion() {
        swapTo(version(1));
        swapTo(version(2));

        PredictionResult answer = classify(SHAPE, 2).orElseThrow();

        assertThat(answer.version()).isEqualTo(version(2));
        assertThat(answer.scores()).hasSize(2).allSatisfy(scores -> {
            assertThat(scores.index()).isEqualTo(2);
            assertThat(scores.label()).isEqualTo("two");
            assertThat(scores.probabilities()).hasSize(4);
            assertThat(scores.probabilities().stream()
                            .mapToDouble(Float::doubleValue)
                            .sum())
                    .isBetween(1 - 1e-6, 1 + 1e-6);
        });
        assertThat(model.version()).contains(version(2));
    }

    @Test
    void shouldComputeNoMoreImagesAtATimeThanTheMemoryAllows() {
        swapTo(version(1));

        PredictionResult answer = classify(SHAPE, 7).orElseThrow();

        assertThat(answer.scores())
                .hasSize(7)
                .allSatisfy(scores -> assertThat(scores.index()).isEqualTo(1));
        assertThat(classifiers.mostImages).hasValue(3);
    }

    @Test
    void shouldRefuseANetworkWhoseSingleImageTakesMoreThanTheMemory() {
        LiveModel small = new LiveModel(classifiers, network -> DESCRIPTION, FakeClassifiers.IMAGE_BYTES - 1);

        assertThatThrownBy(() -> small.swapTo(version(1), FakeClassifier.parameters(version(1), Map.of())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "the network fake takes 100 bytes to predict one image; inference.prediction-memory allows 99");
        assertThat(classifiers.open).hasValue(0);
    }

    @Test
    void shouldTakeClassNamesFromTheVersionsMetadata() {
        model.swapTo(
                version(3),
                FakeClassifier.parameters(version(3), Map.of("classes", "[\"cat\",\"dog\",\"owl\",\"elk\"]")));

        assertThat(classify(SHAPE, 1).orElseThrow().scores().get(0).label()).isEqualTo("elk");
    }

    @Test
    void shouldGoOnAnsweringWithTheVersionBeforeOneThatDoesNotFit() {
        TensorSet other =
                TensorSet.ofFloats(TensorLayout.canonical(List.of(TensorSpec.f32("v", 4))), new float[4], Map.of());
        swapTo(version(1));

        for (long unfit = 2; unfit < 5; unfit++) {
            long number = unfit;
            assertThatThrownBy(() -> model.swapTo(version(number), other)).isInstanceOf(IllegalArgumentException.class);
            assertThat(classify(SHAPE, 1).orElseThrow().version()).isEqualTo(version(1));
        }

        swapTo(version(5));
        assertThat(classify(SHAPE, 1).orElseThrow().version()).isEqualTo(version(5));
        assertThat(classifiers.open).hasValue(2);
    }

    @Test
    void shouldOpenAnewWhenAVersionNamesAnotherNetwork() {
        swapTo(version(1));
        swapTo(version(2));

        model.swapTo(version(3), FakeClassifier.parameters(version(3), FakeClassifiers.LARGE));

        ImageShape large = new ImageShape(1, 1, 2);
        assertThat(model.network(WantedVersion.BY_POLICY).orElseThrow().name()).isEqualTo("large");
        assertThat(classify(large, 1).orElseThrow().version()).isEqualTo(version(3));
        assertThat(classify(SHAPE, 1)).as("images of the network before").isEmpty();
        assertThat(classifiers.open).as("none of the network before").hasValue(1);

        swapTo(version(4));
        assertThat(classify(SHAPE, 1).orElseThrow().version()).isEqualTo(version(4));
        assertThat(classifiers.open).hasValue(1);
    }

    @Test
    void shouldKeepAnsweringWhenAVersionNamesAnUnknownNetwork() {
        swapTo(version(1));
        TensorSet unknown = FakeClassifier.parameters(version(2), Map.of("network", "other"));

        assertThatThrownBy(() -> model.swapTo(version(2), unknown))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("there is no network 'other'");
        assertThat(model.version()).contains(version(1));
        assertThat(model.network(WantedVersion.BY_POLICY).orElseThrow().name()).isEqualTo("fake");
    }

    @Test
    void shouldRefuseVersionThatHasDiverged() {
        TensorSet diverged = TensorSet.ofFloats(
                TensorLayout.canonical(List.of(TensorSpec.f32("w", 4))), new float[] {0, Float.NaN, 0, 0}, Map.of());

        assertThatThrownBy(() -> model.swapTo(version(1), diverged))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the network answers [0.0, NaN, 0.0, 0.0]: training has diverged");
        assertThat(model.version()).isEmpty();
    }

    @Test
    void shouldNeverMixVersionsNorFailWhileVersionsSwap() throws Exception {
        swapTo(version(0));
        AtomicBoolean isOver = new AtomicBoolean();
        ExecutorService clients = Executors.newFixedThreadPool(4);
        List<Future<Integer>> counts = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            counts.add(clients.submit(() -> hammer(isOver)));
        }

        for (long number = 1; number <= 2000; number++) {
            swapTo(version(number));
        }
        isOver.set(true);

        int answers = 0;
        for (Future<Integer> count : counts) {
            answers += count.get(60, TimeUnit.SECONDS);
        }
        clients.shutdown();
        assertThat(answers).isPositive();
        assertThat(classifiers.open).hasValue(2);
    }

    private int hammer(AtomicBoolean isOver) {
        int answers = 0;
        long newest = 0;
        while (!isOver.get() || answers == 0) {
            PredictionResult answer = classify(SHAPE, 3).orElseThrow();
            long number = answer.version().version();
            assertThat(answer.scores()).allMatch(scores -> scores.index() == number % FakeClassifier.CLASSES);
            assertThat(number).isGreaterThanOrEqualTo(newest);
            newest = number;
            answers++;
        }
        return answers;
    }

    @Test
    void shouldCloseEveryInstanceOnce() {
        swapTo(version(1));
        swapTo(version(2));

        model.close();

        assertThat(classifiers.open).hasValue(0);
        assertThat(classify(SHAPE, 1)).isEmpty();
        swapTo(version(3));
        assertThat(classifiers.open).hasValue(0);
    }

    /** Classifies black images; empty if they were not answered. */
    private Optional<PredictionResult> classify(ImageShape shape, int count) {
        PredictionOutcome outcome =
                model.predict(WantedVersion.BY_POLICY, new Images(shape, new float[count * shape.values()]));
        return outcome instanceof PredictionResult result ? Optional.of(result) : Optional.empty();
    }

    private void swapTo(ParameterVersion version) {
        model.swapTo(version, FakeClassifier.parameters(version, Map.of()));
    }

    private static ParameterVersion version(long number) {
        return new ParameterVersion("g", number);
    }
}
