package org.fleetgrad.ps.training;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.ps.membership.Leases;
import org.fleetgrad.ps.membership.Worker;
import org.fleetgrad.ps.work.WorkQueue;

/**
 * The workers that the run knows of, as its journal has them: they follow the leases, and each change is journaled before
 * it is made. Belongs to the applier.
 */
final class Members {

    private final Leases leases;
    private final Durability durability;
    private final WorkerClocks clocks;
    private final TrainingStatistics statistics;
    private final WorkQueue work;
    private final Map<String, Worker> known = new HashMap<>();

    Members(Leases leases, Durability durability, Memory memory) {
        this.leases = leases;
        this.durability = durability;
        this.clocks = memory.clocks();
        this.statistics = memory.statistics();
        this.work = memory.work();
    }

    /** Lets those go whose lease is over, and takes those who registered. */
    void follow() throws IOException {
        dismissTheGone();
        for (Worker worker : leases.live()) {
            if (isNews(worker)) {
                admit(worker);
            }
        }
    }

    /** Takes a worker as it registered, where it is not known so yet. */
    void admit(String worker) throws IOException {
        Optional<Worker> news = leases.find(worker).filter(this::isNews);
        if (news.isPresent()) {
            // It begins where the slowest is, and those who are gone are not.
            dismissTheGone();
            admit(news.get());
        }
    }

    private boolean isNews(Worker registered) {
        return !registered.isSameAs(known.get(registered.id()));
    }

    private void admit(Worker worker) throws IOException {
        durability.append(new JournalEntry.Joined(worker));
        joined(worker);
    }

    private void dismissTheGone() throws IOException {
        for (String worker : List.copyOf(known.keySet())) {
            if (!leases.isLive(worker)) {
                durability.append(new JournalEntry.Left(worker));
                left(worker);
            }
        }
    }

    /** Does again what was journaled. */
    void joined(Worker worker) {
        known.put(worker.id(), worker);
        clocks.join(worker.id());
    }

    /** Does again what was journaled. */
    void left(String worker) {
        known.remove(worker);
        clocks.leave(worker);
        statistics.left(worker);
        work.giveBack(worker);
    }

    boolean has(String worker) {
        return known.containsKey(worker);
    }

    List<Worker> all() {
        return List.copyOf(known.values());
    }

    void restore(List<Worker> members) {
        known.clear();
        members.forEach(worker -> known.put(worker.id(), worker));
    }
}
