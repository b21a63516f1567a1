package org.fleetgrad.serving;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.serving.policy.WantedVersion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests queued for an evicted version take the next one, so that a load waits for one answer and not for all. */
@Timeout(60)
class QueuedAnswersTest {

    private static final ImageShape SHAPE = new ImageShape(1, 1, 1);
    private static final int SLOW = 2;

    private final CountDownLatch isComputing = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final LiveModel model = new LiveModel(
            new Gated(new FakeClassifiers(SHAPE)),
            network -> new ModelDescription(new Normalization(List.of(0f), List.of(1f)), List.of()),
            10 * FakeClassifiers.IMAGE_BYTES);

    /** Classifiers that take long for {@link #SLOW} images. */
    private final class Gated implements Classifiers {

        private final Classifiers fake;

        private Gated(Classifiers fake) {
            this.fake = fake;
        }

        @Override
        public ServedNetwork networkOf(TensorSet parameters) {
            return fake.networkOf(parameters);
        }

        @Override
        public Classifier open(ServedNetwork network) {
            Classifier classifier = fake.open(network);
            return new Classifier() {
                @Override
                public void load(TensorSet parameters) {
                    classifier.load(parameters);
                }

                @Override
                public float[] logits(float[] images, int count) {
                    if (count == SLOW) {
                        isComputing.countDown();
                        try {
                            mayEnd.await();
                        } catch (InterruptedException interrupted) {
                            throw new IllegalStateException(interrupted);
                        }
                    }
                    return classifier.logits(images, count);
                }

                @Override
                public void close() {
                    classifier.close();
                }
            };
        }
    }

    @AfterEach
    void end() throws InterruptedException {
        threads.shutdown();
        assertThat(threads.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
        model.close();
    }

    @Test
    void shouldAnswerThoseWhoQueueForAVersionThatMakesRoomWithTheNext() throws Exception {
        swapTo(1);
        swapTo(2);
        CompletableFuture<Long> slow = ask(SLOW);
        isComputing.await();
        Thread[] queued = new Thread[1];
        CompletableFuture<Long> second = CompletableFuture.supplyAsync(
                () -> {
                    queued[0] = Thread.currentThread();
                    return answer(1);
                },
                threads);
        Awaitility.await().until(() -> queued[0] != null && queued[0].getState() == Thread.State.WAITING);
        swapTo(3);
        CompletableFuture<Void> load = CompletableFuture.runAsync(() -> swapTo(4), threads);
        // From then on version 2 is evicted, and the load waits for its replica.
        Awaitility.await().until(() -> model.versions().equals(List.of(version(3))));

        mayEnd.countDown();

        assertThat(slow.get(60, TimeUnit.SECONDS)).isEqualTo(2);
        assertThat(second.get(60, TimeUnit.SECONDS)).isGreaterThanOrEqualTo(3);
        load.get(60, TimeUnit.SECONDS);
        assertThat(answer(1)).isEqualTo(4);
    }

    private CompletableFuture<Long> ask(int images) {
        return CompletableFuture.supplyAsync(() -> answer(images), threads);
    }

    private long answer(int images) {
        PredictionOutcome outcome = model.predict(WantedVersion.BY_POLICY, new Images(SHAPE, new float[images]));
        return ((PredictionResult) outcome).version().version();
    }

    private void swapTo(long number) {
        model.swapTo(version(number), FakeClassifier.parameters(version(number), Map.of()));
    }

    private static ParameterVersion version(long number) {
        return new ParameterVersion("g", number);
    }
}
