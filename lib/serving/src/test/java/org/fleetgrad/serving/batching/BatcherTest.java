package org.fleetgrad.serving.batching;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.function.BiFunction;
import org.fleetgrad.serving.ImageShape;
import org.fleetgrad.serving.Images;
import org.fleetgrad.serving.PredictionOutcome;
import org.fleetgrad.serving.PredictionOutcome.Closing;
import org.fleetgrad.serving.PredictionOutcome.Full;
import org.fleetgrad.serving.PredictionOutcome.NoVersion;
import org.fleetgrad.serving.policy.WantedVersion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BatcherTest {

    private static final ImageShape SHAPE = new ImageShape(1, 1, 2);
    private static final ImageShape OTHER = new ImageShape(1, 1, 4);
    private static final Duration ONE_HOUR = Duration.ofHours(1);

    private final ExecutorService clients = Executors.newCachedThreadPool();
    private final GatedComputer computer = new GatedComputer();
    private final SteppedClock clock = new SteppedClock();

    @AfterEach
    void stop() {
        computer.gate.countDown();
        clients.shutdownNow();
    }

    @Test
    void shouldComputeARequestAloneAtOnceHoweverLongTheDelay() {
        computer.gate.countDown();
        Batcher batcher = batcher(new BatchLimits(8, ONE_HOUR, 100, 10_000));

        assertThat(batcher.predict(WantedVersion.BY_POLICY, images(SHAPE, 1))).isEqualTo(new NoVersion());

        assertThat(clock.waits).hasValue(0);
        assertThat(computer.batches).containsExactly(List.of(1));
    }

    @Test
    void shouldComputeTogetherWhatCameWhileABatchComputed() throws Exception {
        Batcher batcher = batcher(new BatchLimits(8, Duration.ZERO, 100, 10_000));
        List<Future<PredictionOutcome>> answers = occupied(batcher);
        for (int i = 0; i < 5; i++) {
            answers.add(submit(batcher, 1));
        }
        awaitQueued(batcher, 5);

        computer.gate.countDown();

        assertThat(answers).allSatisfy(answer -> assertThat(answer.get()).isEqualTo(new NoVersion()));
        assertThat(computer.batches).containsExactly(List.of(1), List.of(1, 1, 1, 1, 1));
        assertThat(batcher.batches()).isEqualTo(2);
    }

    @Test
    void shouldFillBatchesToTheMostImagesInOrder() throws Exception {
        Batcher batcher = batcher(new BatchLimits(4, Duration.ZERO, 100, 10_000));
        List<Future<PredictionOutcome>> answers = occupied(batcher);
        for (int count : new int[] {3, 2, 1, 9, 1}) {
            answers.add(submit(batcher, count));
            awaitQueued(batcher, queued(answers, new int[] {1, 3, 2, 1, 9, 1}));
        }

        computer.gate.countDown();
        for (Future<PredictionOutcome> answer : answers) {
            answer.get();
        }

        // 3 and 1 fill a batch; 2 and 1 do not, and 9 exceeds any batch but its own.
        assertThat(computer.batches).containsExactly(List.of(1), List.of(3, 1), List.of(2, 1), List.of(9));
    }

    @Test
    void shouldNeverComputeDifferentVersionsOrShapesTogether() throws Exception {
        Batcher batcher = batcher(new BatchLimits(8, Duration.ZERO, 100, 10_000));
        List<Future<PredictionOutcome>> answers = occupied(batcher);
        WantedVersion[] wanted = {
            WantedVersion.BY_POLICY, WantedVersion.parse("1"), WantedVersion.BY_POLICY, WantedVersion.parse("1")
        };
        for (int i = 0; i < wanted.length; i++) {
            WantedVersion one = wanted[i];
            answers.add(clients.submit(() -> batcher.predict(one, images(SHAPE, 1))));
            awaitQueued(batcher, i + 1);
        }
        answers.add(clients.submit(() -> batcher.predict(WantedVersion.BY_POLICY, images(OTHER, 2))));
        awaitQueued(batcher, 6);

        computer.gate.countDown();
        for (Future<PredictionOutcome> answer : answers) {
            answer.get();
        }

        assertThat(computer.batches).containsExactly(List.of(1), List.of(1, 1), List.of(1, 1), List.of(2));
        assertThat(computer.wanted)
                .containsExactly(
                        WantedVersion.BY_POLICY,
                        WantedVersion.BY_POLICY,
                        WantedVersion.parse("1"),
                        WantedVersion.BY_POLICY);
    }

    @Test
    void shouldWaitForCompanyUntilTheFirstHasWaitedForTheDelay() throws Exception {
        Batcher batcher = batcher(new BatchLimits(8, Duration.ofNanos(700), 100, 10_000));
        List<Future<PredictionOutcome>> answers = occupied(batcher);
        answers.add(submit(batcher, 1));
        awaitQueued(batcher, 1);
        answers.add(submit(batcher, 1));
        awaitQueued(batcher, 2);

        computer.gate.countDown();
        for (Future<PredictionOutcome> answer : answers) {
            answer.get();
        }

        assertThat(computer.batches).containsExactly(List.of(1), List.of(1, 1));
        // Each wait ends after 100 ns without a request.
        assertThat(clock.waits).hasValue(7);
    }

    @Test
    void shouldRefuseWhenTooManyImagesOrBytesWait() throws Exception {
        Batcher few = batcher(new BatchLimits(8, Duration.ZERO, 3, 10_000));
        List<Future<PredictionOutcome>> answers = occupied(few);
        answers.add(submit(few, 2));
        awaitQueued(few, 2);

        assertThat(few.predict(WantedVersion.BY_POLICY, images(SHAPE, 2))).isEqualTo(new Full(2, 3, 16, 10_000));
        assertThat(few.refused()).isEqualTo(1);
        answers.add(submit(few, 1));
        awaitQueued(few, 3);

        computer.gate.countDown();
        for (Future<PredictionOutcome> answer : answers) {
            assertThat(answer.get()).isEqualTo(new NoVersion());
        }
        assertThat(few.queuedImages()).isZero();
    }

    @Test
    void shouldRefuseWhenTooManyBytesWait() throws Exception {
        Batcher small = batcher(new BatchLimits(8, Duration.ZERO, 100, 20));
        List<Future<PredictionOutcome>> answers = occupied(small);
        answers.add(submit(small, 2));
        awaitQueued(small, 2);

        assertThat(small.predict(WantedVersion.BY_POLICY, images(SHAPE, 1))).isEqualTo(new Full(2, 100, 16, 20));
    }

    @Test
    void shouldAnswerWhatItTookAndRefuseTheRestWhenItCloses() throws Exception {
        Batcher batcher = batcher(new BatchLimits(8, ONE_HOUR, 100, 10_000));
        List<Future<PredictionOutcome>> answers = occupied(batcher);
        answers.add(submit(batcher, 1));
        awaitQueued(batcher, 1);
        Future<?> closed = clients.submit(batcher::close);
        PredictionOutcome last = new NoVersion();
        while (!(last instanceof Closing)) {
            // Admitted until the close begins, so it must not wait for the gate: it has images for another batch.
            last = answerOfClosing(batcher);
        }
        assertThat(closed.isDone()).isFalse();

        computer.gate.countDown();

        closed.get();
        assertThat(answers).allSatisfy(answer -> assertThat(answer.get()).isEqualTo(new NoVersion()));
    }

    private PredictionOutcome answerOfClosing(Batcher batcher) throws Exception {
        CompletableFuture<PredictionOutcome> answer = CompletableFuture.supplyAsync(
                () -> batcher.predict(WantedVersion.BY_POLICY, images(SHAPE, 1)), clients);
        return answer.completeOnTimeout(new NoVersion(), 20, TimeUnit.MILLISECONDS)
                .get();
    }

    @Test
    void shouldTellEachRequestOfABatchWhyItFailedAndGoOn() throws Exception {
        Batcher batcher = new Batcher(
                (wanted, requests) -> {
                    if (requests.get(0).count() == 2) {
                        throw new IllegalStateException("out of memory");
                    }
                    return Collections.nCopies(requests.size(), new NoVersion());
                },
                new BatchLimits(8, Duration.ZERO, 100, 10_000));

        assertThatThrownBy(() -> batcher.predict(WantedVersion.BY_POLICY, images(SHAPE, 2)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the batch of this request was not computed")
                .hasRootCauseMessage("out of memory");
        assertThat(batcher.predict(WantedVersion.BY_POLICY, images(SHAPE, 1))).isEqualTo(new NoVersion());
    }

    @Test
    void shouldAnswerEveryRequestOfManyThreads() throws Exception {
        computer.gate.countDown();
        Batcher batcher = new Batcher(computer, new BatchLimits(4, Duration.ofMillis(1), 1000, 1_000_000));
        List<Callable<Integer>> tasks = new ArrayList<>();
        for (int client = 0; client < 16; client++) {
            int own = client;
            tasks.add(() -> {
                int answers = 0;
                for (int i = 0; i < 500; i++) {
                    WantedVersion wanted = own % 4 == 0 ? WantedVersion.parse("7") : WantedVersion.BY_POLICY;
                    answers += batcher.predict(wanted, images(SHAPE, 1 + i % 3)) instanceof NoVersion ? 1 : 0;
                }
                return answers;
            });
        }

        for (Future<Integer> answers : clients.invokeAll(tasks)) {
            assertThat(answers.get()).isEqualTo(500);
        }
        assertThat(computer.batches)
                .allSatisfy(batch -> assertThat(
                                batch.stream().mapToInt(Integer::intValue).sum())
                        .isLessThanOrEqualTo(4));
        assertThat(batcher.queuedImages()).isZero();
    }

    private Batcher batcher(BatchLimits limits) {
        return new Batcher(computer, limits, BatchListener.NONE, clock);
    }

    /** Makes the batcher compute one request, which waits for the gate. */
    private List<Future<PredictionOutcome>> occupied(Batcher batcher) throws InterruptedException {
        List<Future<PredictionOutcome>> answers = new ArrayList<>();
        answers.add(submit(batcher, 1));
        computer.entered.await();
        return answers;
    }

    private Future<PredictionOutcome> submit(Batcher batcher, int count) {
        return clients.submit(() -> batcher.predict(WantedVersion.BY_POLICY, images(SHAPE, count)));
    }

    private static int queued(List<Future<PredictionOutcome>> answers, int[] counts) {
        int sum = 0;
        for (int i = 1; i < answers.size(); i++) {
            sum += counts[i];
        }
        return sum;
    }

    private static void awaitQueued(Batcher batcher, int images) {
        while (batcher.queuedImages() != images) {
            Thread.onSpinWait();
        }
    }

    private static Images images(ImageShape shape, int count) {
        return new Images(shape, new float[count * shape.values()]);
    }

    /** Records the sizes of the requests of each batch; computes the first batch only when the gate opens. */
    private static final class GatedComputer
            implements BiFunction<WantedVersion, List<Images>, List<PredictionOutcome>> {

        private final CountDownLatch entered = new CountDownLatch(1);
        private final CountDownLatch gate = new CountDownLatch(1);
        private final List<List<Integer>> batches = new CopyOnWriteArrayList<>();
        private final List<WantedVersion> wanted = new CopyOnWriteArrayList<>();

        @Override
        public List<PredictionOutcome> apply(WantedVersion asked, List<Images> requests) {
            batches.add(requests.stream().map(Images::count).toList());
            wanted.add(asked);
            entered.countDown();
            try {
                gate.await();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
            return Collections.nCopies(requests.size(), new NoVersion());
        }
    }

    /** Advances 100 ns with each wait, and never blocks a thread. */
    private static final class SteppedClock implements BatchClock {

        private final AtomicLong nanos = new AtomicLong();
        private final AtomicLong waits = new AtomicLong();

        @Override
        public long nanos() {
            return nanos.get();
        }

        @Override
        public void await(Condition arrived, long left) {
            waits.incrementAndGet();
            nanos.addAndGet(100);
        }
    }
}
