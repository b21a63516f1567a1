package org.fleetgrad.ps.durability;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.fleetgrad.optim.LearningRateSchedule;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;
import org.fleetgrad.optim.StalenessRule;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.ps.outcome.PushOutcome;
import org.fleetgrad.ps.outcome.SubmissionResult;
import org.fleetgrad.ps.run.Lifecycle.Precondition;
import org.fleetgrad.ps.run.Lifecycle.PutOutcome;
import org.fleetgrad.ps.run.Lifecycle.RollbackOutcome;
import org.fleetgrad.ps.settings.TrainingSettings;
import org.fleetgrad.ps.training.TrainingRun;

/** A journaled run in a few actions, which together make every kind of file change. */
final class Life {

    private static final Duration INTERVAL = Duration.ofSeconds(1);
    static final DurabilitySettings SETTINGS = new DurabilitySettings(true, INTERVAL, 0, OptionalLong.of(1L << 40), 2);

    /** An action that is acknowledged or refused. */
    interface Action {
        boolean isDone(Life life);
    }

    static final List<Action> ACTIONS = List.of(
            life -> life.put(Precondition.ABSENT, 1, 2),
            life -> life.register("a"),
            life -> life.register("b"),
            life -> life.push("a", 1, 0, 3, 5),
            life -> life.push("b", 1, 1, -7, 11),
            life -> life.checkpoint("a", 2),
            life -> life.push("b", 2, 1, 2, 3),
            life -> life.put(Precondition.PRESENT, 5, 6),
            life -> life.push("a", 3, 0, 1, 1),
            life -> life.rollBack(),
            life -> life.push("a", 4, 0, 2, 9),
            life -> life.checkpoint("b", 3),
            life -> life.unregister("b"),
            life -> life.push("a", 5, 0, 4, 4));

    private final DurableRun durable = new DurableRun(settings());
    private final Path folder;
    private final TrainingRun run;
    private String lastOutcome = "";

    Life(Path folder) {
        this.folder = folder;
        this.run = durable.open(SETTINGS, folder);
    }

    /** A rule with a history, and momentum, so that more than the parameters must be recovered. */
    static TrainingSettings settings() {
        return new TrainingSettings(
                new TrainingMode.Async(1),
                new SgdSettings(0.5f, 0, false, 0),
                new StalenessRule.AdaptiveDelayCompensated(1, 0.5f),
                8,
                new LearningRateSchedule.Constant(0.5f),
                TrainingSettings.DecayScope.EVERYTHING,
                64,
                0);
    }

    /** Returns the outcome of the last push, for messages. */
    String lastOutcome() {
        return lastOutcome;
    }

    TrainingRun run() {
        return run;
    }

    /** Returns the served parameter set; empty before there is one. */
    static byte[] served(TrainingRun run) {
        return run.published().version().isPresent() ? run.bytes() : new byte[0];
    }

    private boolean put(Precondition precondition, float... values) {
        return run.submitPut(precondition, values).join() instanceof SubmissionResult.Done<PutOutcome> done
                && done.outcome() instanceof PutOutcome.Accepted;
    }

    private boolean register(String worker) {
        if (run.leases().find(worker).isEmpty()) {
            run.leases().register(Optional.of(worker), "", "cpu", Optional.empty(), Optional.empty(), Optional.empty());
        }
        run.advance(Duration.ZERO);
        return true;
    }

    private boolean unregister(String worker) {
        run.unregister(worker);
        return true;
    }

    /** Pushes a gradient with this staleness; returns whether it was accepted, now or before. */
    private boolean push(String worker, long sequence, long staleness, float... gradient) {
        SubmissionResult<PushOutcome> answer = run.submit(
                        TrainingRun.metadata(
                                worker, sequence, run.training().generation(), run.version() - staleness, 1),
                        gradient)
                .join();
        lastOutcome = answer.toString();
        return answer instanceof SubmissionResult.Done<PushOutcome> done
                && !(done.outcome() instanceof PushOutcome.Refused);
    }

    /** Pushes a gradient when a checkpoint is due, and waits until one is taken. */
    private boolean checkpoint(String worker, long sequence) {
        durable.checkpoints().clear();
        run.clock().advance(INTERVAL);
        boolean isDone = push(worker, sequence, 0, 6, 7);
        if (run.training().unreadiness().isEmpty()) {
            durable.checkpoints().awaitTaken(() -> {
                run.advance(durable.checkpoints().hasFailed() ? INTERVAL : Duration.ZERO);
            });
        }
        return isDone;
    }

    /** Rolls back to the checkpoint before the newest. */
    private boolean rollBack() {
        SubmissionResult<RollbackOutcome> answer =
                run.rollBack(DurableRun.numbers(folder).get(1));
        return answer instanceof SubmissionResult.Done<RollbackOutcome> done
                && done.outcome() instanceof RollbackOutcome.RolledBack;
    }
}
