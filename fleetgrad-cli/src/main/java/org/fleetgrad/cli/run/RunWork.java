package org.fleetgrad.cli.run;

import java.io.IOException;
import org.fleetgrad.protocol.messages.PutWorkReply;
import org.fleetgrad.protocol.messages.StatusReply;
import org.fleetgrad.protocol.work.WorkPlan;

/** The work of a run, and whether workers find any of it. Belongs to the thread that watches the run. */
final class RunWork {

    private final Services services;
    private final WorkPlan plan;

    RunWork(Services services, WorkPlan plan) {
        this.services = services;
        this.plan = plan;
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
