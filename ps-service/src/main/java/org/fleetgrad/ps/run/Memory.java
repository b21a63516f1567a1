package org.fleetgrad.ps.run;

import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import org.fleetgrad.ps.history.RunHistory;
import org.fleetgrad.ps.membership.Worker;
import org.fleetgrad.ps.persistence.TrainingState;
import org.fleetgrad.ps.progress.SequenceLedger;
import org.fleetgrad.ps.progress.TrainingStatistics;
import org.fleetgrad.ps.progress.WorkerClocks;
import org.fleetgrad.ps.work.WorkQueue;

/**
 * Everything that a run remembers besides its parameters. The applier writes it; any thread may read it.
 *
 * @param ledger     how recent pushes were answered
 * @param statistics the run's counters
 * @param clocks     the workers' iterations
 * @param work       the progress of the work
 * @param course     time series of the run
 */
public record Memory(
        SequenceLedger ledger, TrainingStatistics statistics, WorkerClocks clocks, WorkQueue work, RunHistory course) {

    Memory(RunHistory course) {
        this(new SequenceLedger(), new TrainingStatistics(), new WorkerClocks(), new WorkQueue(), course);
    }

    /** Returns a copy of everything, completed by the state that lives elsewhere. */
    TrainingState with(
            LiveState live,
            Optional<TrainingState.Pending> pending,
            List<TrainingState.Staged> staged,
            NavigableMap<Long, float[]> history,
            List<Worker> members) {
        return new TrainingState(
                live.version(),
                live.layout(),
                live.metadata(),
                live.parameters().clone(),
                live.optimizer().state().copy(),
                pending,
                staged,
                ledger.state(),
                clocks.state(),
                members,
                statistics.state(),
                history,
                work.state(),
                course.state());
    }

    /** Restores what an earlier process of the run remembered. */
    void restore(TrainingState saved) {
        ledger.restore(saved.answers());
        clocks.restore(saved.clocks());
        work.restore(saved.work());
        course.restore(saved.course());
        statistics.restore(
                saved.counts(),
                saved.pending().map(TrainingState.Pending::gradients).orElse(0));
    }
}
