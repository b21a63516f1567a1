package org.fleetgrad.ps.run;

import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.work.WorkPlan;
import org.fleetgrad.ps.outcome.SubmissionResult;
import org.fleetgrad.ps.persistence.JournalEntry;
import org.fleetgrad.ps.persistence.TrainingState;
import org.fleetgrad.ps.persistence.TrainingStore;
import org.fleetgrad.ps.work.WorkQueue;

/** Recovers a run: restores a state, and replays the journal's entries after it. */
final class Replayer implements TrainingStore.Replay {

    private final Run run;

    Replayer(Run run) {
        this.run = run;
    }

    @Override
    public ParameterVersion version() {
        return run.version();
    }

    @Override
    public TrainingState state() {
        return run.state();
    }

    @Override
    public void restore(TrainingState saved) {
        run.restore(saved);
    }

    @Override
    public void restoreWork(WorkPlan plan) {
        run.work().begin(plan);
    }

    @Override
    public void replay(JournalEntry entry) {
        WorkQueue work = run.work();
        if (entry instanceof JournalEntry.Taken taken) {
            run.statistics()
                    .pushed(new SubmissionResult.Done<>(run.trainer().apply(taken.gradient(), taken.makesStep())));
        } else if (entry instanceof JournalEntry.Staged staged) {
            run.staged().put(staged.gradient());
        } else if (entry instanceof JournalEntry.Committed committed) {
            run.statistics()
                    .pushed(new SubmissionResult.Done<>(
                            run.trainer().committed(committed.worker(), committed.sequence(), committed.makesStep())));
        } else if (entry instanceof JournalEntry.Dropped dropped) {
            run.staging().dropped(dropped.worker(), dropped.sequence());
        } else if (entry instanceof JournalEntry.Stepped) {
            long unused = run.trainer().step("");
        } else if (entry instanceof JournalEntry.Joined joined) {
            run.members().joined(joined.worker());
        } else if (entry instanceof JournalEntry.Left left) {
            run.members().left(left.worker());
        } else if (entry instanceof JournalEntry.Leased leased) {
            work.lease(leased.worker(), leased.cursor());
        } else if (entry instanceof JournalEntry.Returned returned) {
            work.release(returned.worker());
        } else if (entry instanceof JournalEntry.Added added) {
            work.add(added.number(), added.shard());
        } else {
            throw new IllegalStateException("no way to repeat " + entry);
        }
        run.retainForBase(run.requireNow());
    }

    @Override
    public void beginGeneration() {
        run.beginGeneration();
        run.staged().clear();
        run.now().ifPresent(now -> run.setState(now.withVersion(now.version().inGeneration(run.generation()))));
    }
}
