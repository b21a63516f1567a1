package org.fleetgrad.worker.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.fleetgrad.client.fake.FakeParameterServer;
import org.fleetgrad.client.fake.FakeWork;
import org.fleetgrad.client.fake.PushFault;
import org.fleetgrad.protocol.encoding.Encodings;
import org.fleetgrad.protocol.work.Cursor;
import org.fleetgrad.testing.ManualClock;
import org.fleetgrad.worker.TestShards;
import org.fleetgrad.worker.training.TrainingTask.Tools;
import org.fleetgrad.worker.training.TrainingTask.Transfer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Batches that are computed while a gradient is in flight. */
class OverlapTest {

    @TempDir
    private Path folder;

    /** The training thread is the one that runs the test; pushes run in another. */
    private final Thread trainer = Thread.currentThread();

    private final ManualClock clock = new ManualClock();
    private QueuedShards shards;
    private FakeParameterServer server;
    private FakeWork work;

    @BeforeEach
    void open() throws IOException {
        shards = new QueuedShards(folder);
        server = shards.server();
        work = shards.work();
    }

    @AfterEach
    void close() {
        shards.close();
    }

    private Tools tools(BooleanSupplier stop) {
        return shards.tools(server, clock, stop);
    }

    private static TrainingTask task(int updateInterval) {
        return task(updateInterval, "f32");
    }

    private static TrainingTask task(int updateInterval, String encoding) {
        return new TrainingTask(
                PlainTraining.learning(8, updateInterval, 5),
                Optional.empty(),
                PlainTraining.WORKER,
                new Transfer(Encodings.parse(encoding), Encodings.PLAIN, true));
    }

    private TrainingReport train(int limit) throws Exception {
        return train(limit, () -> false);
    }

    private TrainingReport train(int limit, BooleanSupplier stop) throws Exception {
        return task(1).runQueue(tools(stop), limit);
    }

    private boolean isTraining() {
        return Thread.currentThread().equals(trainer);
    }

    private static List<Cursor> places(String... texts) {
        return List.of(texts).stream().map(Cursor::parse).toList();
    }

    private List<Long> bases() {
        return server.pushes().stream()
                .map(push -> push.metadata().baseVersion())
                .toList();
    }

    @Test
    void shouldTrainOnEverySampleOnceOnParametersThatAreOneStepOlder() throws Exception {
        TrainingReport report = train(0);

        assertThat(work.reached())
                .isEqualTo(places(
                        "0/0/8", "0/0/16", "0/0/20", "0/1/8", "0/1/10", "1/0/8", "1/0/16", "1/0/20", "1/1/8",
                        "1/1/10"));
        // Each shard begins on the parameters after all earlier gradients.
        assertThat(bases()).containsExactly(0L, 0L, 1L, 3L, 3L, 5L, 5L, 6L, 8L, 8L);
        assertThat(report.counted()).isEqualTo(report.samples()).isEqualTo(60);
        assertThat(report.completed()).isTrue();
        assertThat(server.workers()).isEmpty();
    }

    @Test
    void shouldComputeWhileAGradientTravels() throws Exception {
        CountDownLatch isComputing = new CountDownLatch(1);
        AtomicInteger batches = new AtomicInteger();
        // Two batches make a gradient: at the poll before the fourth, one batch of the second gradient is done.
        BooleanSupplier stop = () -> {
            if (isTraining() && batches.incrementAndGet() == 4) {
                isComputing.countDown();
            }
            return false;
        };
        server.with(new FakeWork(1).with(shards.file(TestShards.digits(64, 4)), 64));
        server.nextIsFineAnd(() -> awaited(isComputing));

        TrainingReport report = task(2).runQueue(tools(stop), 0);

        assertThat(report.counted()).isEqualTo(64);
        assertThat(bases()).startsWith(0L, 0L, 1L);
    }

    private static void awaited(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    @Test
    void shouldComputeAgainWhatWasDroppedAndWhatWasBehindIt() throws Exception {
        server.nextIsFine().next(PushFault.stale()).nextIsFine();

        TrainingReport report = train(1);

        assertThat(work.reached()).isEqualTo(places("0/0/8", "0/0/16", "0/0/20"));
        assertThat(report.samples())
                .as("20, 8 that were dropped, and 4 behind them")
                .isEqualTo(32);
        assertThat(report.counted()).isEqualTo(20);
        assertThat(report.stale()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldNeitherLoseNorDoubleASampleWhateverGoesWrong(long seed) throws Exception {
        Random random = new Random(seed);
        List<PushFault> faults = List.of(
                PushFault.stale(),
                PushFault.lostResponse(),
                PushFault.lostRequest(),
                PushFault.forgetWorkers(),
                PushFault.tooFarAhead(1),
                PushFault.busy());
        for (int i = 0; i < 12; i++) {
            if (random.nextBoolean()) {
                server.nextIsFine();
            } else {
                server.next(faults.get(random.nextInt(faults.size())));
                // A lost response is retried, and the retry is the first to count.
                server.nextIsFine();
            }
        }

        TrainingReport report =
                task(1 + random.nextInt(3), seed % 2 == 0 ? "topk:0.1" : "f32").runQueue(tools(() -> false), 0);

        long reached = 0;
        Cursor before = new Cursor(0, 0, 0);
        for (Cursor place : work.reached()) {
            boolean isNextShard = place.epoch() != before.epoch() || place.shard() != before.shard();
            reached += isNextShard ? place.sample() : place.sample() - before.sample();
            before = place;
        }
        assertThat(reached).isEqualTo(60);
        assertThat(before).isEqualTo(new Cursor(1, 1, 10));
        assertThat(report.counted()).isEqualTo(60);
        assertThat(report.completed()).isTrue();
    }

    @Test
    void shouldAskWhereItIsWhenTheServerHasItElsewhere() throws Exception {
        server.nextIsFineAnd(() -> work.moveTo(new Cursor(0, 0, 8)));
        server.nextIsFineAnd(() -> work.moveTo(new Cursor(0, 1, 0)));

        TrainingReport report = train(0);

        assertThat(work.reached()).startsWith(places("0/1/8", "0/1/10").toArray(Cursor[]::new));
        assertThat(report.completed()).isTrue();
        assertThat(report.counted()).isEqualTo(10 + 30);
    }

    @Test
    void shouldFailInTheTrainingThreadAsThePushDid() throws Exception {
        server.nextIsFine().next(PushFault.refused(422, "not-finite", "value 3 is NaN"));

        assertThatThrownBy(() -> train(0))
                .isInstanceOf(TrainingFailedException.class)
                .hasMessage("the server refused gradient 2: value 3 is NaN");
        assertThat(work.reached()).isEqualTo(places("0/0/8"));
        assertThat(server.workers()).as("it has left").isEmpty();
    }

    @Test
    void shouldFailWithTheErrorOfAPushItself() {
        // The push thread polls it while it waits for another version.
        BooleanSupplier stop = () -> {
            if (!isTraining()) {
                throw new LinkageError("a class is missing");
            }
            return false;
        };
        server.next(PushFault.buffer(true, 1));

        assertThatThrownBy(() -> task(1).runShard(
                                tools(stop), shards.file(QueuedShards.TWENTY).toString(), 1, 0))
                .isInstanceOf(LinkageError.class)
                .hasMessage("a class is missing");
    }

    @Test
    void shouldPushAllThatItHoldsWhenItIsToStop() throws Exception {
        AtomicInteger batches = new AtomicInteger();
        BooleanSupplier stop = () -> isTraining() && batches.incrementAndGet() > 3;
        server.with(new FakeWork(1).with(shards.file(TestShards.digits(64, 4)), 64));

        TrainingReport report = task(2).runQueue(tools(stop), 0);

        assertThat(report.completed()).isFalse();
        assertThat(report.samples()).isPositive();
        assertThat(report.counted()).isEqualTo(report.samples());
        assertThat(report.cursor().orElseThrow().sample()).isEqualTo(report.samples());
        assertThat(server.workers()).isEmpty();
    }

    @Test
    void shouldTrainOnAShardOfItsOwn() throws Exception {
        TrainingReport report = task(1).runShard(
                        tools(() -> false), shards.file(QueuedShards.TWENTY).toString(), 2, 0);

        assertThat(report.counted()).isEqualTo(40);
        assertThat(report.epochs()).isEqualTo(2);
        assertThat(bases()).containsExactly(0L, 0L, 1L, 3L, 3L, 4L);
    }
}
