package org.fleetgrad.cli.run;

import java.io.IOException;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.protocol.messages.PutWorkReply;
import org.fleetgrad.protocol.messages.StatusReply;
import org.fleetgrad.protocol.work.WorkPlan;

/** The work of a run, and whether workers find any of it. Belongs to the thread that watches the run. */
final class RunWork {

    private final Services services;
    private final WorkPlan plan;
    private final long before;

    private RunWork(Services services, WorkPlan plan, long before) {
        this.services = services;
        this.plan = plan;
        this.before = before;
    }

    /** States the work, and lets workers find all of it. */
    static RunWork begin(Services services, WorkPlan plan)
            throws IOException, RunFailedException, InterruptedException {
        RunWork work = new RunWork(services, plan, 0);
        work.open();
        // A run that was begun from another has that one's samples in its statistics.
        return new RunWork(services, plan, work.surplus(services.ask(PsClient::status)));
    }

    /**
     * Returns by how many samples the statistics, which count what was in a step, are ahead of the work, which counts what
     * its cursors have passed: 0 where each sample counts once, less where some were lost.
     */
    long surplus(StatusReply status) {
        long done = status.work() == null ? 0 : status.work().samples();
        return status.samples() - done - before;
    }

    /** Lets workers find all of it. */
    void open() throws IOException, RunFailedException, InterruptedException {
        PutWorkReply unused = services.ask(client -> client.putWork(plan));
    }

    /** Lets workers find nothing beyond the first epoch: activations end with the shard that they are at. */
    void close() throws IOException, RunFailedException, InterruptedException {
        WorkPlan least = new WorkPlan(plan.dataset(), 1, plan.shards());
        PutWorkReply unused = services.ask(client -> client.putWork(least));
    }

    /** Tells whether every epoch is done. */
    boolean isDone(StatusReply status) {
        long all = plan.epochs() * plan.shards().size();
        return plan.epochs() > 0 && status.work() != null && status.work().shardsDone() >= all;
    }
}
