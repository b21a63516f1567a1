package org.fleetgrad.ps.training;

import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import org.fleetgrad.ps.membership.Worker;
import org.fleetgrad.ps.work.WorkQueue;

/** What is remembered beside the parameters; the rest of the service reads it while the applier writes it. */
record Memory(SequenceLedger ledger, TrainingStatistics statistics, WorkerClocks clocks, WorkQueue work) {

    Memory() {
        this(new SequenceLedger(), new TrainingStatistics(), new WorkerClocks(), new WorkQueue());
    }

    /** Returns a copy of everything, with what is not remembered here. */
    TrainingState with(
            LiveState live,
            Optional<TrainingState.Pending> pending,
            NavigableMap<Long, float[]> history,
            List<Worker> members) {
        return new TrainingState(
                live.version(),
                live.layout(),
                live.metadata(),
                live.parameters().clone(),
                live.optimizer().state().copy(),
                pending,
                ledger.state(),
                clocks.state(),
                members,
                statistics.state(),
                history,
                work.state());
    }

    /** Takes over what another remembered. */
    void restore(TrainingState kept) {
        ledger.restore(kept.answers());
        clocks.restore(kept.clocks());
        work.restore(kept.work());
        statistics.restore(
                kept.counts(),
                kept.pending().map(TrainingState.Pending::gradients).orElse(0));
    }
}
