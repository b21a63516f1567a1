package org.fleetgrad.ps.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.ps.outcome.PushOutcome;
import org.fleetgrad.ps.outcome.PushOutcome.Refused;
import org.fleetgrad.ps.progress.TrainingStatistics;

/** A run and its model, which receive the same events; after each event they must agree. */
public final class ModelledRun {

    private final ModeModel model;
    private final Map<String, Instant> deadlines = new HashMap<>();
    private TrainingRun run;

    public ModelledRun(TrainingMode mode, TrainingRun run) {
        this.model = new ModeModel(mode);
        this.run = run;
    }

    public ModeModel model() {
        return model;
    }

    public TrainingRun run() {
        return run;
    }

    /** The run was restarted. */
    public void goesOnAs(TrainingRun other) {
        run = other;
        agree("after a restart");
    }

    public void join(String worker, Optional<Duration> life) {
        if (!model.live().contains(worker)) {
            Optional<Instant> deadline = life.map(run.clock().instant()::plus);
            deadlines.remove(worker);
            deadline.ifPresent(end -> deadlines.put(worker, end));
            run.leases().register(Optional.of(worker), "", "cpu", deadline, Optional.empty(), Optional.empty());
            run.advance(Duration.ZERO);
            model.join(worker);
        }
        agree("after " + worker + " joined");
    }

    public void leave(String worker) {
        run.unregister(worker);
        if (model.live().contains(worker)) {
            model.leave(Set.of(worker));
        }
        agree("after " + worker + " left");
    }

    /** Advances the clock; all but {@code silent} renew their leases, and workers past their deadline are gone. */
    public void pass(Duration time, String silent) {
        Duration left = time;
        while (!left.isZero()) {
            Duration part = left.compareTo(TrainingRun.LEASE.dividedBy(2)) > 0 ? TrainingRun.LEASE.dividedBy(2) : left;
            model.live().stream().filter(worker -> !worker.equals(silent)).forEach(run.leases()::renew);
            run.clock().advance(part);
            left = left.minus(part);
        }
        run.advance(Duration.ZERO);
        Set<String> gone = new HashSet<>(model.live());
        gone.removeIf(run.leases()::isLive);
        Set<String> expected = new HashSet<>(model.live());
        expected.removeIf(worker -> !(worker.equals(silent) && time.compareTo(TrainingRun.LEASE) >= 0)
                && !isPast(Optional.ofNullable(deadlines.get(worker))));
        assertThat(gone).as("whose lease is over").isEqualTo(expected);
        model.leave(gone);
        agree("after time passed");
    }

    private boolean isPast(Optional<Instant> deadline) {
        return deadline.filter(end -> !run.clock().instant().isBefore(end)).isPresent();
    }

    /** Pushes, compares the answer with the model's, and returns it. */
    public PushOutcome push(String worker, long sequence, long base, long samples, float gradient) {
        PushOutcome expected = model.push(worker, sequence, base, samples, gradient);
        PushOutcome outcome =
                run.push(TrainingRun.metadata(worker, sequence, TrainingRun.GENERATION, base, samples), gradient);
        String what = "%s pushed %d on %d".formatted(worker, sequence, base);
        if (expected instanceof Refused refused && outcome instanceof Refused actual) {
            assertThat(actual.reason()).as(what).isEqualTo(refused.reason());
        } else {
            assertThat(outcome).as(what).isEqualTo(expected);
        }
        agree("after " + what);
        return outcome;
    }

    private void agree(String when) {
        assertThat(run.version()).as(when).isEqualTo(model.version());
        assertThat((double) run.values()[0])
                .as(when)
                .isCloseTo(model.value(), within(1e-5 * (1 + Math.abs(model.value()))));
        TrainingStatistics.State counts = run.training().statistics().state();
        assertThat(run.training().statistics().buffered()).as(when).isEqualTo(model.waiting());
        assertThat(counts.samples()).as(when).isEqualTo(model.samples());
        assertThat(counts.pushes().getOrDefault("applied", 0L) + counts.pushes().getOrDefault("buffered", 0L))
                .as(when)
                .isEqualTo(model.taken());
        for (String worker : model.live()) {
            assertThat(run.training().mayBegin(Optional.of(worker)))
                    .as("whether %s may begin, %s", worker, when)
                    .isEqualTo(model.mayBegin(worker));
        }
    }
}
