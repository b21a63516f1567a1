package org.fleetgrad.ps.run;

import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.ps.outcome.SubmissionResult;
import org.fleetgrad.ps.persistence.JournalEntry;
import org.fleetgrad.ps.persistence.TrainingState;
import org.fleetgrad.ps.persistence.TrainingStore;
import org.fleetgrad.ps.settings.TrainingSettings;
import org.fleetgrad.ps.step.Gradient;
import org.fleetgrad.ps.work.WorkQueue;

/** Recovers a run: restores a state, and replays the journal's entries after it. */
final class Replayer implements TrainingStore.Replay {

    private final TrainingSettings settings;
    private final LiveRun run;
    private final Trainer trainer;
    private final Staging staging;

    Replayer(TrainingSettings settings, LiveRun run, Trainer trainer, Staging staging) {
        this.settings = settings;
        this.run = run;
        this.trainer = trainer;
        this.staging = staging;
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
        run.generation(saved.version().generation());
        LiveState restored = LiveState.of(saved, settings);
        run.setState(restored);
        // First, because the learning rate of served versions depends on the count of samples.
        run.memory().restore(saved);
        run.pending().restore(saved.pending());
        run.staged().restore(saved.staged());
        run.served().history().restore(saved.history());
        // The state that begins a history is persisted before it is served, so its history lacks its own values.
        run.served().remember(restored);
        run.members().restore(saved.members());
    }

    @Override
    public void replay(JournalEntry entry) {
        WorkQueue work = run.memory().work();
        if (entry instanceof JournalEntry.Taken taken) {
            run.memory()
                    .statistics()
                    .pushed(new SubmissionResult.Done<>(
                            trainer.apply(new Gradient(taken.metadata(), taken.values()), taken.isSteps())));
        } else if (entry instanceof JournalEntry.Staged staged) {
            run.staged().put(new Gradient(staged.metadata(), staged.values()));
        } else if (entry instanceof JournalEntry.Committed committed) {
            run.memory()
                    .statistics()
                    .pushed(new SubmissionResult.Done<>(
                            trainer.committed(committed.worker(), committed.sequence(), committed.isSteps())));
        } else if (entry instanceof JournalEntry.Dropped dropped) {
            staging.dropped(dropped.worker(), dropped.sequence());
        } else if (entry instanceof JournalEntry.Stepped) {
            long unused = trainer.step("");
        } else if (entry instanceof JournalEntry.Joined came) {
            run.members().joined(came.worker());
        } else if (entry instanceof JournalEntry.Left gone) {
            run.members().left(gone.worker());
        } else if (entry instanceof JournalEntry.Leased leased) {
            work.lease(leased.worker(), leased.cursor());
        } else if (entry instanceof JournalEntry.Returned returned) {
            work.release(returned.worker());
        } else {
            throw new IllegalStateException("no way to repeat " + entry);
        }
        run.served().remember(run.requireNow());
    }

    @Override
    public void beginGeneration() {
        run.beginGeneration();
        run.staged().clear();
        run.now().ifPresent(now -> run.setState(now.at(now.version().inGeneration(run.generation()))));
    }
}
