package org.fleetgrad.ps.training;

import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import org.fleetgrad.ps.membership.Worker;

/** What is remembered beside the parameters; the rest of the service reads it while the applier writes it. */
record Memory(SequenceLedger ledger, TrainingStatistics statistics, WorkerClocks clocks) {

    Memory() {
        this(new SequenceLedger(), new TrainingStatistics(), new WorkerClocks());
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
                history);
    }

    /** Takes over what another remembered. */
    void restore(TrainingState kept) {
        ledger.restore(kept.answers());
        clocks.restore(kept.clocks());
        statistics.restore(
                kept.counts(),
                kept.pending().map(TrainingState.Pending::gradients).orElse(0));
    }
}
