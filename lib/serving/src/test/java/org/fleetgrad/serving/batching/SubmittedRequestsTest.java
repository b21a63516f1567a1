package org.fleetgrad.serving.batching;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.fleetgrad.serving.ImageShape;
import org.fleetgrad.serving.Images;
import org.fleetgrad.serving.PredictionOutcome;
import org.fleetgrad.serving.PredictionOutcome.Closing;
import org.fleetgrad.serving.PredictionOutcome.NoVersion;
import org.fleetgrad.serving.policy.WantedVersion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests for which no thread waits, alone and together with requests that have a waiting thread. */
@Timeout(60)
class SubmittedRequestsTest {

    private static final ImageShape SHAPE = new ImageShape(1, 1, 2);
    private static final BatchLimits LIMITS = new BatchLimits(8, Duration.ZERO, 100, 10_000);

    private final ExecutorService clients = Executors.newCachedThreadPool();
    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch gate = new CountDownLatch(1);
    private final List<Integer> batches = new CopyOnWriteArrayList<>();
    private final List<Thread> computing = new CopyOnWriteArrayList<>();

    @AfterEach
    void stop() {
        gate.countDown();
        clients.shutdownNow();
    }

    @Test
    void shouldComputeARequestAloneInTheThreadThatOffersIt() {
        gate.countDown();
        Batcher batcher = new Batcher(this::compute, LIMITS);

        Optional<CompletableFuture<PredictionOutcome>> offered = offer(batcher, 1);

        assertThat(offered.orElseThrow()).isCompletedWithValue(new NoVersion());
        assertThat(computing).containsExactly(Thread.currentThread());
    }

    @Test
    void shouldComputeTogetherWhatIsOfferedWhileABatchComputes() throws Exception {
        Batcher batcher = new Batcher(this::compute, LIMITS);
        Future<PredictionOutcome> first = occupied(batcher);
        List<CompletableFuture<PredictionOutcome>> offered = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            offered.add(offer(batcher, 1).orElseThrow());
        }
        assertThat(offered).allSatisfy(one -> assertThat(one).isNotDone());

        gate.countDown();

        assertThat(first.get()).isEqualTo(new NoVersion());
        for (CompletableFuture<PredictionOutcome> one : offered) {
            assertThat(one.get()).isEqualTo(new NoVersion());
        }
        assertThat(batches).containsExactly(1, 3);
        assertThat(computing.get(1)).as("nobody waits for it").isNotEqualTo(computing.get(0));
    }

    @Test
    void shouldTakeNoMoreThanTheQueueHasRoomForAndCountNoRefusal() throws Exception {
        Batcher batcher = new Batcher(this::compute, new BatchLimits(8, Duration.ZERO, 3, 10_000));
        Future<PredictionOutcome> first = occupied(batcher);
        CompletableFuture<PredictionOutcome> waiting = offer(batcher, 2).orElseThrow();

        assertThat(offer(batcher, 2)).isEmpty();
        assertThat(batcher.refused()).isZero();

        gate.countDown();
        first.get();
        waiting.get();
        assertThat(batcher.queuedImages()).isZero();
    }

    @Test
    void shouldKeepEveryPromiseBeforeItIsClosed() throws Exception {
        Batcher batcher = new Batcher(this::compute, LIMITS);
        Future<PredictionOutcome> first = occupied(batcher);
        AtomicInteger kept = new AtomicInteger();
        CompletableFuture<Void> told = offer(batcher, 1).orElseThrow().thenRun(kept::incrementAndGet);
        Future<Integer> keptWhenClosed = clients.submit(() -> {
            batcher.close();
            return kept.get();
        });

        gate.countDown();

        assertThat(keptWhenClosed.get()).isEqualTo(1);
        told.get();
        first.get();
        assertThat(offer(batcher, 1)).isEmpty();
        assertThat(batcher.predict(WantedVersion.BY_POLICY, images(1))).isEqualTo(new Closing());
    }

    @Test
    void shouldBreakThePromisesOfABatchThatFailsAndGoOn() {
        Batcher batcher = new Batcher(
                (wanted, requests) -> {
                    if (requests.get(0).count() == 2) {
                        throw new IllegalStateException("out of memory");
                    }
                    return Collections.nCopies(requests.size(), new NoVersion());
                },
                LIMITS);

        CompletableFuture<PredictionOutcome> failed = offer(batcher, 2).orElseThrow();

        assertThatThrownBy(failed::get).hasRootCauseMessage("out of memory");
        assertThat(offer(batcher, 1).orElseThrow()).isCompletedWithValue(new NoVersion());
    }

    @Test
    void shouldAnswerEveryRequestOfBothKinds() throws Exception {
        gate.countDown();
        Batcher batcher = new Batcher(this::compute, LIMITS);
        List<Future<Integer>> asked = new ArrayList<>();
        for (int client = 0; client < 8; client++) {
            boolean isOffering = client % 2 == 0;
            asked.add(clients.submit(() -> {
                int answered = 0;
                for (int i = 0; i < 2_000; i++) {
                    PredictionOutcome outcome = isOffering
                            ? offer(batcher, 1).orElseThrow().get()
                            : batcher.predict(WantedVersion.BY_POLICY, images(1));
                    answered += outcome instanceof NoVersion ? 1 : 0;
                }
                return answered;
            }));
        }

        for (Future<Integer> answered : asked) {
            assertThat(answered.get()).isEqualTo(2_000);
        }
        assertThat(batches.stream().mapToInt(Integer::intValue).sum()).isEqualTo(16_000);
    }

    private List<PredictionOutcome> compute(WantedVersion wanted, List<Images> requests) {
        batches.add(requests.size());
        computing.add(Thread.currentThread());
        entered.countDown();
        try {
            gate.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return Collections.nCopies(requests.size(), new NoVersion());
    }

    /** Makes the batcher compute one request, which waits for the gate. */
    private Future<PredictionOutcome> occupied(Batcher batcher) throws InterruptedException {
        Future<PredictionOutcome> first = clients.submit(() -> batcher.predict(WantedVersion.BY_POLICY, images(1)));
        entered.await();
        return first;
    }

    private static Optional<CompletableFuture<PredictionOutcome>> offer(Batcher batcher, int count) {
        return batcher.submit(WantedVersion.BY_POLICY, images(count));
    }

    private static Images images(int count) {
        return new Images(SHAPE, new float[count * SHAPE.values()]);
    }
}
