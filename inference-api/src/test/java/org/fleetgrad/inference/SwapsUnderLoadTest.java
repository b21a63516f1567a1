package org.fleetgrad.inference;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.libtorch.Device;
import org.fleetgrad.libtorch.Libtorch;
import org.fleetgrad.libtorch.Network;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.HeldOutScore;
import org.fleetgrad.protocol.HeldOutScore.ScoredVersion;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.serving.ImageShape;
import org.fleetgrad.serving.Images;
import org.fleetgrad.serving.LiveModel;
import org.fleetgrad.serving.ModelDescription;
import org.fleetgrad.serving.NetworkClassifiers;
import org.fleetgrad.serving.PredictionOutcome;
import org.fleetgrad.serving.PredictionResult;
import org.fleetgrad.serving.batching.BatchLimits;
import org.fleetgrad.serving.batching.Batcher;
import org.fleetgrad.serving.policy.HeldOutScores;
import org.fleetgrad.serving.policy.VersionPolicy;
import org.fleetgrad.serving.policy.WantedVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The real network while versions swap 1,000 times under load: its answers, bit for bit. */
class SwapsUnderLoadTest {

    private static final int SWAPS = 1000;
    private static final int CLIENTS = 6;
    private static final int MOST_IN_A_BATCH = 4;
    private static final ImageShape SHAPE = new ImageShape(1, 28, 28);
    private static final int[] PIXELS = LeNet.image(6);

    /** An answer: the version that it names, and the bits of its logits. */
    private record Seen(long version, List<Float> logits) {}

    @ParameterizedTest
    @ValueSource(strings = {"latest", "best"})
    void shouldAnswerEveryRequestWithTheBitsOfTheVersionThatItNames(String policy) throws Exception {
        HeldOutScores scores = new HeldOutScores();
        AtomicBoolean isOver = new AtomicBoolean();
        Set<Seen> seen = ConcurrentHashMap.newKeySet();
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        int answers = 0;
        try (LiveModel model = model(policy, scores);
                Batcher batcher =
                        new Batcher(model::predict, new BatchLimits(MOST_IN_A_BATCH, Duration.ZERO, 64, 1 << 20))) {
            swap(model, 0);
            List<Future<Integer>> counts = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                counts.add(clients.submit(() -> ask(batcher, isOver, seen)));
            }
            for (long number = 1; number <= SWAPS; number++) {
                swap(model, number);
                if (number % 7 == 0) {
                    // Rises and falls, so that the best version is sometimes this one and sometimes an earlier one.
                    scores.record(
                            new ScoredVersion(version(number), HeldOutScore.ofAccuracy((number * 37 % 100) / 100.0)));
                }
            }
            isOver.set(true);
            for (Future<Integer> count : counts) {
                answers += count.get();
            }
        } finally {
            isOver.set(true);
            clients.shutdown();
        }

        assertThat(answers).isGreaterThan(SWAPS / 10);
        assertThat(seen.stream().map(Seen::version).collect(Collectors.toSet())).hasSizeGreaterThan(5);
        assertThat(seen)
                .allSatisfy(answer -> assertThat(possible(answer.version())).contains(answer.logits()));
    }

    @Test
    void shouldTellTheBitsOfNeighbouringVersionsApart() {
        Set<List<Float>> one = possible(1);

        assertThat(possible(2)).doesNotContainAnyElementsOf(one);
    }

    private static int ask(Batcher batcher, AtomicBoolean isOver, Set<Seen> seen) {
        int answers = 0;
        while (!isOver.get()) {
            PredictionOutcome outcome = batcher.predict(WantedVersion.BY_POLICY, image());
            assertThat(outcome).isInstanceOf(PredictionResult.class);
            PredictionResult answer = (PredictionResult) outcome;
            seen.add(new Seen(answer.version().version(), floats(answer.logits(), 0)));
            answers++;
        }
        return answers;
    }

    /**
     * Computes the logits of the image with a version, in a network of its own, in a batch of each size and at each position:
     * libtorch sums in another order in another batch.
     */
    private static Set<List<Float>> possible(long number) {
        float[] normalized = LeNet.normalized(PIXELS);
        Set<List<Float>> possible = ConcurrentHashMap.newKeySet();
        try (Network network = Libtorch.open(Networks.usual("lenet5"), Device.CPU)) {
            network.load(TensorSet.ofFloats(LeNet.SPEC.layout(), LeNet.parameters(version(number)), Map.of()));
            for (int count = 1; count <= MOST_IN_A_BATCH; count++) {
                float[] batch = new float[count * normalized.length];
                for (int i = 0; i < count; i++) {
                    System.arraycopy(normalized, 0, batch, i * normalized.length, normalized.length);
                }
                float[] logits = network.logits(batch, count);
                for (int i = 0; i < count; i++) {
                    possible.add(floats(logits, i));
                }
            }
        }
        return possible;
    }

    private static List<Float> floats(float[] logits, int image) {
        float[] own = Arrays.copyOfRange(logits, image * LeNet.SPEC.classes(), (image + 1) * LeNet.SPEC.classes());
        List<Float> list = new ArrayList<>();
        for (float logit : own) {
            list.add(logit);
        }
        return list;
    }

    private static Images image() {
        float[] pixels = new float[PIXELS.length];
        for (int i = 0; i < pixels.length; i++) {
            pixels[i] = PIXELS[i];
        }
        return new Images(SHAPE, pixels);
    }

    private static LiveModel model(String policy, HeldOutScores scores) {
        ModelDescription description =
                new ModelDescription(new Normalization(List.of(0.1307f), List.of(0.3081f)), List.of());
        return new LiveModel(
                new NetworkClassifiers(Device.CPU),
                network -> description,
                1 << 28,
                3,
                VersionPolicy.valueOf(policy),
                scores);
    }

    private static void swap(LiveModel model, long number) {
        model.swapTo(version(number), LeNet.set(version(number), Map.of()));
    }

    private static ParameterVersion version(long number) {
        return new ParameterVersion("g", number);
    }
}
