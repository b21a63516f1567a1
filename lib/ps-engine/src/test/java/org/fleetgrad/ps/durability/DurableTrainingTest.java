package org.fleetgrad.ps.durability;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.fleetgrad.checkpoints.CheckpointLocation;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.ps.outcome.PushOutcome.Applied;
import org.fleetgrad.ps.run.Lifecycle.Precondition;
import org.fleetgrad.ps.run.Lifecycle.PutOutcome;
import org.fleetgrad.ps.training.TrainingRun;
import org.fleetgrad.testing.ManualClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** When checkpoints are taken, and which are retained. */
@Timeout(60)
class DurableTrainingTest {

    private static final Duration INTERVAL = Duration.ofSeconds(10);
    private static final long NEVER_LONG = 1L << 40;

    @TempDir(factory = InMemory.class)
    private Path folder;

    private final DurableRun durable = new DurableRun(TrainingRun.plain(new TrainingMode.Async(1), 64));

    private TrainingRun begin(DurabilitySettings settings) {
        TrainingRun run = durable.open(settings, folder).startingAt(0).withWorkers("a");
        assertThat(durable.checkpoints().taken().version())
                .as("the parameter set itself")
                .isZero();
        return run;
    }

    private static void push(TrainingRun run, long sequence) {
        assertThat(run.push("a", sequence, sequence - 1, 2)).isEqualTo(new Applied(sequence, 0));
    }

    private static void tick(TrainingRun run) {
        run.leases().renew("a");
        run.advance(Duration.ZERO);
    }

    @Test
    void shouldTakeACheckpointAtEachIntervalInWhichSomethingChanged() {
        try (TrainingRun run = begin(new DurabilitySettings(true, INTERVAL, 0, OptionalLong.of(NEVER_LONG), 3))) {
            push(run, 1);
            run.clock().advance(INTERVAL.minusMillis(1));
            tick(run);
            assertThat(durable.checkpoints().versions()).isEmpty();

            run.clock().advance(Duration.ofMillis(1));
            tick(run);
            assertThat(durable.checkpoints().taken()).satisfies(taken -> {
                assertThat(taken.version()).isEqualTo(1);
                assertThat(taken.notes()).isEqualTo(Map.of("network", "w", "samples", "1", "loss", "1.5000"));
            });

            for (int i = 0; i < 5; i++) {
                run.leases().renew("a");
                run.clock().advance(INTERVAL);
                tick(run);
            }
            assertThat(durable.checkpoints().versions()).as("nothing changed").isEmpty();
        }
        assertThat(durable.checkpoints().taken().version()).as("the last state").isEqualTo(1);
    }

    @Test
    void shouldTakeACheckpointWhenTheLastWorkerHasLeft() {
        DurabilitySettings settings = new DurabilitySettings(false, INTERVAL, 0, OptionalLong.of(NEVER_LONG), 3);
        try (TrainingRun run = begin(settings)) {
            push(run, 1);
            run.clock().advance(settings.pause().minusMillis(1));
            run.unregister("a");
            tick(run);
            assertThat(durable.checkpoints().versions())
                    .as("too soon after another one")
                    .isEmpty();

            run.clock().advance(Duration.ofMillis(1));
            durable.checkpoints().awaitTaken(() -> tick(run));
            assertThat(durable.checkpoints().taken().version()).isEqualTo(1);

            run.clock().advance(settings.pause());
            run.leases().register(Optional.of("b"), "", "cpu", Optional.empty(), Optional.empty(), Optional.empty());
            run.unregister("b");
            tick(run);
            assertThat(durable.checkpoints().versions()).as("no step was made").isEmpty();
        }
    }

    @Test
    void shouldTakeACheckpointEverySoManyVersions() {
        try (TrainingRun run =
                begin(new DurabilitySettings(false, DurableRun.NEVER, 3, OptionalLong.of(NEVER_LONG), 2))) {
            for (int sequence = 1; sequence <= 7; sequence++) {
                push(run, sequence);
                if (sequence % 3 == 0) {
                    durable.checkpoints().awaitTaken(() -> tick(run));
                    assertThat(durable.checkpoints().taken().version()).isEqualTo(sequence);
                }
            }
            assertThat(durable.checkpoints().versions()).isEmpty();
            assertThat(DurableRun.numbers(folder)).as("kept are 2").containsExactly(3L, 2L);
        }
    }

    @Test
    void shouldTakeACheckpointWhenTheJournalIsLong() throws IOException {
        try (TrainingRun run = begin(new DurabilitySettings(true, DurableRun.NEVER, 0, OptionalLong.of(1 << 16), 3))) {
            // A worker that registers and leaves; only its description is long.
            for (int i = 0; durable.checkpoints().versions().isEmpty(); i++) {
                assertThat(i).isLessThan(10_000);
                run.leases()
                        .register(
                                Optional.of("b"),
                                "x".repeat(1000),
                                "cpu",
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty());
                tick(run);
                run.unregister("b");
            }
            assertThat(Files.size(folder.resolve("journal/segment-000001.journal")))
                    .isBetween(65_536L, 70_000L);
        }
    }

    @Test
    void shouldHaveTheSegmentsOfTheTwoNewestCheckpointsOnly() throws IOException {
        try (TrainingRun run =
                begin(new DurabilitySettings(true, DurableRun.NEVER, 1, OptionalLong.of(NEVER_LONG), 9))) {
            for (int sequence = 1; sequence <= 5; sequence++) {
                push(run, sequence);
                durable.checkpoints().awaitTaken(() -> tick(run));
                assertThat(durable.checkpoints().taken().version()).isEqualTo(sequence);
            }
        }
        try (Stream<Path> files = Files.list(folder.resolve("journal"))) {
            // Checkpoint 7 is the last state, and names segment 7.
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder("segment-000006.journal", "segment-000007.journal");
        }
        assertThat(DurableRun.numbers(folder)).hasSize(7);
    }

    @Test
    void shouldTakePushesWhileACheckpointIsWritten() throws InterruptedException {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch open = new CountDownLatch(1);
        try (TrainingRun run = begin(new DurabilitySettings(true, INTERVAL, 0, OptionalLong.of(NEVER_LONG), 3))) {
            durable.noting(() -> {
                entered.countDown();
                try {
                    assertThat(open.await(60, SECONDS)).isTrue();
                } catch (InterruptedException stopped) {
                    Thread.currentThread().interrupt();
                }
                return Map.of();
            });
            run.clock().advance(INTERVAL);
            push(run, 1);
            assertThat(entered.await(60, SECONDS)).isTrue();

            run.leases().renew("a");
            run.clock().advance(INTERVAL);
            push(run, 2);
            push(run, 3);
            assertThat(durable.checkpoints().versions()).isEmpty();
            Path killed = DurableRun.copy(folder, folder.resolveSibling(folder.getFileName() + "-killed"));
            open.countDown();

            assertThat(durable.checkpoints().taken().version()).isEqualTo(1);
            try (TrainingRun other =
                    new DurableRun(TrainingRun.plain(new TrainingMode.Async(1), 64)).open(DurableRun.JOURNAL, killed)) {
                assertThat(other.bytes()).as("killed meanwhile").isEqualTo(run.bytes());
            }
        }
    }

    @Test
    void shouldGoOnWhereACheckpointFailsAndTryAgainAfterAnInterval() {
        FullDisk disk = new FullDisk();
        Path location = new WatchedDisk(disk).path(folder);
        try (TrainingRun run = durable.open(
                        new DurabilitySettings(false, INTERVAL, 1, OptionalLong.of(NEVER_LONG), 3), location)
                .startingAt(0)
                .withWorkers("a")) {
            disk.fail(change -> change.equals("move to manifest.json"));
            push(run, 1);
            assertThat(durable.checkpoints().failed()).hasMessageEndingWith(": no space left on device");
            push(run, 2);
            disk.mend();
            push(run, 3);
            assertThat(durable.checkpoints().hasFailed())
                    .as("a full disk is not asked at each push")
                    .isFalse();
            durable.checkpoints().clear();

            run.clock().advance(INTERVAL);
            durable.checkpoints().awaitTaken(() -> tick(run));
            assertThat(durable.checkpoints().taken().version()).isEqualTo(3);
        }
    }

    @Test
    void shouldKeepTheRunWhereMemoryDoesNotSufficeForACheckpoint() {
        try (TrainingRun run = begin(new DurabilitySettings(true, INTERVAL, 0, OptionalLong.of(NEVER_LONG), 3))) {
            durable.noting(() -> {
                throw new OutOfMemoryError("as for the arrays of a large state");
            });
            run.clock().advance(INTERVAL);
            push(run, 1);
            assertThat(durable.checkpoints().failed()).hasMessage("a checkpoint could not be assembled");
            push(run, 2);

            durable.noting(Map::of);
            assertThat(run.put(Precondition.PRESENT, 5)).isInstanceOf(PutOutcome.Accepted.class);
        }
        assertThat(DurableRun.numbers(folder)).containsExactly(3L, 2L, 1L);
    }

    @Test
    void shouldRefuseAJournalWithoutAFolderAndAFolderInUse() {
        CheckpointLocation bucket = CheckpointLocation.parse("s3://bucket/run", name -> switch (name) {
            case "S3_ENDPOINT" -> "http://127.0.0.1:1";
            case "S3_ACCESS_KEY", "S3_SECRET_KEY" -> "secret";
            default -> null;
        });
        assertThatThrownBy(() -> new DurableTraining(
                        DurableRun.JOURNAL,
                        TrainingRun.plain(new TrainingMode.Async(1), 1),
                        bucket,
                        new ManualClock(),
                        new ManualClock(),
                        Map::of,
                        durable.checkpoints()))
                .hasMessage(
                        "a journal needs a folder, but the location is s3://bucket/run: write a folder, such as a mounted volume, or durability checkpoint");

        try (TrainingRun run = begin(DurableRun.JOURNAL)) {
            assertThat(run.version()).isZero();
            assertThatThrownBy(() -> durable.open(DurableRun.JOURNAL, folder))
                    .hasMessageContaining(
                            "%s is used by another parameter server; give each run its own folder", folder);
        }
    }
}
