package org.fleetgrad.ps.durability;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.ps.membership.Leases.Registration;
import org.fleetgrad.ps.membership.Worker;
import org.fleetgrad.ps.outcome.PushOutcome;
import org.fleetgrad.ps.outcome.PushOutcome.Applied;
import org.fleetgrad.ps.outcome.PushOutcome.Buffered;
import org.fleetgrad.ps.training.TrainingRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The registered workers survive a restart. */
@Timeout(60)
class MembersAfterRestartTest {

    @TempDir(factory = InMemory.class)
    private Path folder;

    private final DurableRun durable = new DurableRun(TrainingRun.plain(new TrainingMode.Sync(0), 64));

    private TrainingRun begin() {
        return durable.open(DurableRun.JOURNAL, folder.resolve("run")).startingAt(0);
    }

    private Path killed() {
        return DurableRun.copy(folder.resolve("run"), folder.resolve("killed"));
    }

    @Test
    void shouldWaitForTheSameWorkersWithAWholeLease() {
        try (TrainingRun run = begin().withWorkers("a", "b")) {
            run.advance(Duration.ofSeconds(29));
            assertThat(run.push("a", 1, 0, 2)).isEqualTo(new Buffered(0));
            killed();
        }

        try (TrainingRun run = durable.open(DurableRun.JOURNAL, folder.resolve("killed"))) {
            run.advance(Duration.ofSeconds(29));
            assertThat(run.leases().live()).extracting(Worker::id).containsExactly("a", "b");
            assertThat(run.version()).isZero();
            assertThat(run.push("b", 1, 0, 4)).isEqualTo(new Applied(1, 0));
            assertThat(run.values()).containsExactly(-1.5f);
        }
    }

    @Test
    void shouldBeAtTheVersionThatMovedWithoutAGradient() {
        try (TrainingRun run = begin().withWorkers("a")) {
            assertThat(run.push("a", 1, 0, 2)).isEqualTo(new Applied(1, 0));
            assertThat(run.pass("a", 1)).isEqualTo(new Buffered(2));
            assertThat(run.push("a", 2, 2, 4)).isEqualTo(new Applied(3, 0));
            killed();
        }

        try (TrainingRun run = durable.open(DurableRun.JOURNAL, folder.resolve("killed"))) {
            assertThat(run.version()).isEqualTo(3);
            assertThat(run.values()).containsExactly(-3);
        }
    }

    @Test
    void shouldWaitForNobodyWhoseDeadlineIsOver() {
        try (TrainingRun run = begin().withWorkers("a")) {
            Instant deadline = run.clock().instant().plusSeconds(10);
            run.leases()
                    .register(
                            Optional.of("b"),
                            "größe \uD83D\uDE42",
                            "gpu",
                            Optional.of(deadline),
                            Optional.empty(),
                            Optional.empty());
            run.advance(Duration.ZERO);
            assertThat(run.push("a", 1, 0, 2)).isEqualTo(new Buffered(0));
            killed();
        }

        try (TrainingRun run = durable.open(DurableRun.JOURNAL, folder.resolve("killed"))) {
            Worker restored = run.leases().find("b").orElseThrow();
            assertThat(restored.description()).isEqualTo("größe \uD83D\uDE42");
            assertThat(restored.device()).isEqualTo("gpu");
            run.advance(Duration.ofSeconds(10));
            assertThat(run.version()).isEqualTo(1);
            assertThat(run.values()).containsExactly(-1);
        }
    }

    @Test
    void shouldKnowTheNewDeadlineOfAWorkerThatRegisteredAnewBeforeItWasMissed() {
        try (TrainingRun run = begin()) {
            Instant first = run.clock().instant().plusSeconds(10);
            run.leases()
                    .register(
                            Optional.of("a"),
                            "activation 1",
                            "cpu",
                            Optional.of(first),
                            Optional.empty(),
                            Optional.empty());
            run.advance(Duration.ZERO);
            // The worker leaves and returns before the applier notices, as one activation follows another.
            run.leases().unregister("a");
            run.leases()
                    .register(
                            Optional.of("a"),
                            "activation 2",
                            "cpu",
                            Optional.of(first.plusSeconds(60)),
                            Optional.empty(),
                            Optional.empty());
            run.push("a", 1, 0, 2);
            killed();
        }
        durable.clock().advance(Duration.ofSeconds(11));

        try (TrainingRun run = durable.open(DurableRun.JOURNAL, folder.resolve("killed"))) {
            assertThat(run.leases().find("a")).map(Worker::description).contains("activation 2");
            assertThat(run.push("a", 2, 1, 2)).isEqualTo(new Applied(2, 0));
        }
    }

    @Test
    void shouldLetAnActivationTakeItsPlaceAgainAfterARestart() {
        try (TrainingRun run = begin()) {
            run.leases().register(Optional.of("a"), "", "cpu", Optional.empty(), Optional.of("id-1"), Optional.empty());
            run.advance(Duration.ZERO);
            assertThat(run.push("a", 1, 0, 2)).isEqualTo(new Applied(1, 0));
            killed();
        }

        try (TrainingRun run = durable.open(DurableRun.JOURNAL, folder.resolve("killed"))) {
            assertThat(run.leases()
                            .register(
                                    Optional.of("a"),
                                    "",
                                    "cpu",
                                    Optional.empty(),
                                    Optional.of("id-1"),
                                    Optional.empty()))
                    .isInstanceOf(Registration.Granted.class);
            assertThat(run.push("a", 1, 0, 2)).isInstanceOf(PushOutcome.Duplicate.class);
            assertThat(run.version()).isEqualTo(1);
        }
    }

    @Test
    void shouldForgetThoseWhoLeft() {
        try (TrainingRun run = begin().withWorkers("a", "b")) {
            run.push("a", 1, 0, 2);
            run.unregister("b");
            assertThat(run.version()).isEqualTo(1);
            killed();
        }

        try (TrainingRun run = durable.open(DurableRun.JOURNAL, folder.resolve("killed"))) {
            assertThat(run.leases().live()).extracting(Worker::id).containsExactly("a");
            assertThat(run.version()).isEqualTo(1);
            assertThat(run.push("a", 2, 1, 2)).isEqualTo(new Applied(2, 0));
        }
    }
}
