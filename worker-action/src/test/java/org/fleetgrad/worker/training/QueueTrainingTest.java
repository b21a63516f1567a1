package org.fleetgrad.worker.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import org.fleetgrad.client.fake.FakeParameterServer;
import org.fleetgrad.client.fake.FakeWork;
import org.fleetgrad.client.fake.PushFault;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.work.Cursor;
import org.fleetgrad.testing.ManualClock;
import org.fleetgrad.worker.training.TrainingTask.Identity;
import org.fleetgrad.worker.training.TrainingTask.Tools;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Trains on the shards that a server assigns: each sample once, despite failures. */
class QueueTrainingTest {

    @TempDir
    private Path folder;

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

    private static TrainingTask task(int updateInterval, OptionalLong deadline) {
        return new TrainingTask(
                PlainTraining.learning(8, updateInterval, 5),
                Optional.empty(),
                new Identity(Optional.of("w1"), "a test", "cpu", deadline, Optional.empty(), Optional.empty()),
                PlainTraining.TRANSFER);
    }

    private TrainingReport train(int limit) throws Exception {
        return train(limit, () -> false);
    }

    private TrainingReport train(int limit, BooleanSupplier stop) throws Exception {
        return task(1, OptionalLong.empty()).runQueue(tools(stop), limit);
    }

    private static List<Cursor> places(String... texts) {
        return List.of(texts).stream().map(Cursor::parse).toList();
    }

    @Test
    void shouldTrainOnEverySampleOfEveryShardOnceAnEpoch() throws Exception {
        TrainingReport report = train(0);

        assertThat(work.reached())
                .isEqualTo(places(
                        "0/0/8", "0/0/16", "0/0/20", "0/1/8", "0/1/10", "1/0/8", "1/0/16", "1/0/20", "1/1/8",
                        "1/1/10"));
        assertThat(report.completed()).isTrue();
        assertThat(report.work()).isEqualTo("done");
        assertThat(report.epochs()).isEqualTo(4);
        assertThat(report.samples()).isEqualTo(60);
        assertThat(report.counted()).isEqualTo(60);
        assertThat(server.workers()).isEmpty();
    }

    /** Added shards take few indices in turn, and a worker may get two of one index in a row. */
    @Test
    void shouldFetchAnotherShardOfTheSameIndex() throws Exception {
        FakeWork other = new FakeWork(2)
                .with(shards.file(QueuedShards.TWENTY), 20)
                .instead(1, shards.file(QueuedShards.TEN), 10);
        server.with(other);

        train(0);

        assertThat(other.reached()).isEqualTo(places("0/0/8", "0/0/16", "0/0/20", "1/0/8", "1/0/10"));
    }

    /** A shard from the server gives the same result as the same shard from a file. */
    @Test
    void shouldComeToTheSameBitsAsTrainingOnAShardOfItsOwn() throws Exception {
        server.with(new FakeWork(3).with(shards.file(QueuedShards.TWENTY), 20));
        train(0);
        TensorLayout layout = server.parameters().layout();
        float[] queued = server.parameters().toFloats(layout);

        try (FakeParameterServer other = new FakeParameterServer(0.05f)) {
            server.close();
            server = other;
            task(1, OptionalLong.empty())
                    .runShard(
                            tools(() -> false),
                            folder.resolve("shard-20.tar.gz").toString(),
                            3,
                            0);
            assertThat(queued).containsExactly(other.parameters().toFloats(layout));
        }
    }

    @Test
    void shouldGoOnWhereAnotherStopped() throws Exception {
        work.moveTo(new Cursor(1, 0, 12));

        train(0);

        assertThat(work.reached()).isEqualTo(places("1/0/20", "1/1/8", "1/1/10"));
    }

    @Test
    void shouldComputeAgainWhatWasDroppedAndCountItOnce() throws Exception {
        server.nextIsFine().next(PushFault.stale()).nextIsFine();

        TrainingReport report = train(1);

        assertThat(work.reached()).isEqualTo(places("0/0/8", "0/0/16", "0/0/20"));
        assertThat(report.samples()).isEqualTo(28);
        assertThat(report.counted()).isEqualTo(20);
        assertThat(report.stale()).isEqualTo(1);
    }

    @Test
    void shouldEndAfterItsBatchWhereTheWorkIsPaused() throws Exception {
        server.nextIsFine().next(PushFault.paused());

        TrainingReport report = train(0);

        assertThat(work.reached()).isEqualTo(places("0/0/8", "0/0/16"));
        assertThat(report.work()).isEqualTo("more");
        assertThat(report.counted()).isEqualTo(16);
        assertThat(server.workers()).isEmpty();
    }

    @Test
    void shouldEndAfterTheBatchInFlightWithOverlapToo() throws Exception {
        server.next(PushFault.paused());
        TrainingTask overlapping = new TrainingTask(
                PlainTraining.learning(8, 1, 5),
                Optional.empty(),
                new Identity(
                        Optional.of("w1"), "a test", "cpu", OptionalLong.empty(), Optional.empty(), Optional.empty()),
                new TrainingTask.Transfer(
                        PlainTraining.TRANSFER.gradients(), PlainTraining.TRANSFER.parameters(), true));

        TrainingReport report = overlapping.runQueue(tools(() -> false), 0);

        assertThat(report.work()).isEqualTo("more");
        assertThat(report.counted()).isEqualTo(report.samples()).isLessThanOrEqualTo(20);
        assertThat(server.workers()).isEmpty();
    }

    @Test
    void shouldAskWhereItIsWhenTheServerHasItElsewhere() throws Exception {
        server.nextIsFineAnd(() -> work.moveTo(new Cursor(0, 0, 8)));
        server.nextIsFineAnd(() -> work.moveTo(new Cursor(0, 1, 0)));

        TrainingReport report = train(0);

        assertThat(work.reached()).startsWith(places("0/1/8", "0/1/10").toArray(Cursor[]::new));
        assertThat(report.counted()).isEqualTo(report.samples() - 16);
        assertThat(report.completed()).isTrue();
    }

    @Test
    void shouldPushWhatItHoldsAndSayWhereItIsWhenItsTimeIsUp() throws Exception {
        OptionalLong deadline = OptionalLong.of(clock.millis() + 60_000);
        // The first batches are quick; then the machine stalls until just before the deadline.
        int[] asked = {0};
        BooleanSupplier slow = () -> {
            if (asked[0]++ == 2) {
                clock.advance(Duration.ofSeconds(58));
            }
            return false;
        };

        TrainingReport report = task(4, deadline).runQueue(tools(slow), 0);

        assertThat(report.completed()).isFalse();
        assertThat(report.work()).isEqualTo("more");
        assertThat(report.cursor()).isEqualTo(work.reached().stream().reduce((first, second) -> second));
        assertThat(report.counted()).isEqualTo(report.samples()).isPositive();
        assertThat(server.workers()).as("the rest of the shard is free").isEmpty();
    }

    @Test
    void shouldBeginNothingWithoutTimeForIt() throws Exception {
        TrainingReport report = task(1, OptionalLong.of(clock.millis() + 1_500)).runQueue(tools(() -> false), 0);

        assertThat(report.samples()).isZero();
        assertThat(report.completed()).isFalse();
        assertThat(server.calls()).containsExactly("POST /registerWorker", "POST /unregisterWorker");
    }

    @Test
    void shouldLeaveWhenOthersHaveAllThatIsLeft() throws Exception {
        work.takeAway();

        TrainingReport report = train(0);

        assertThat(report.work()).isEqualTo("wait");
        assertThat(report.completed()).isFalse();
        assertThat(server.workers()).isEmpty();
    }

    @Test
    void shouldTakeNoMoreShardsThanItMay() throws Exception {
        assertThat(train(1).work()).isEqualTo("more");
        assertThat(work.reached()).isEqualTo(places("0/0/8", "0/0/16", "0/0/20"));
    }

    @Test
    void shouldRefuseAShardOfAnotherSize() throws Exception {
        server.with(new FakeWork(1).with(shards.file(QueuedShards.TWENTY), 21));

        assertThatThrownBy(() -> train(0))
                .isInstanceOf(TrainingFailedException.class)
                .hasMessage("the shard 'shard-0' has 20 samples, the run's work states 21: another dataset lies there");
        assertThat(server.workers()).isEmpty();
    }
}
