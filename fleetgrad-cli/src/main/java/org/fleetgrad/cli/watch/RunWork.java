package org.fleetgrad.cli.watch;

import java.io.IOException;
import java.time.Duration;
import org.fleetgrad.cli.failure.CommandFailedException;
import org.fleetgrad.cli.services.Services;
import org.fleetgrad.cli.shards.BucketShards;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.protocol.messages.PutWorkReply;
import org.fleetgrad.protocol.messages.StatusReply;
import org.fleetgrad.protocol.work.WorkPlan;

/** The work of a run, and whether workers find any of it. Belongs to the thread that watches the run. */
public final class RunWork {

    /** Addresses of shards expire: the work is stated again with new ones after a quarter of their life. */
    private static final Duration RENEWAL = BucketShards.LIFETIME.dividedBy(4);

    private final Services services;
    private final Plans plans;
    private WorkPlan plan;
    private long stated;
    private long before;
    private long samplesBefore;

    /** Makes plans of the same work, whose shards' addresses are new. */
    @FunctionalInterface
    public interface Plans {
        WorkPlan plan() throws IOException;
    }

    private RunWork(Services services, Plans plans, WorkPlan plan) {
        this.services = services;
        this.plans = plans;
        this.plan = plan;
    }

    /** States the work, and lets workers find all of it. */
    public static RunWork begin(Services services, Plans plans) throws IOException, CommandFailedException, InterruptedException {
        RunWork work = new RunWork(services, plans, plans.plan());
        work.state();
        // A run that was begun from another has that one's samples in its statistics.
        StatusReply first = services.ask(PsClient::status);
        work.before = work.surplus(first);
        work.samplesBefore = first.samples();
        return work;
    }

    /**
     * Returns by how many samples the statistics, which count what was in a step, are ahead of the work, which counts what
     * its cursors have passed: 0 where each sample counts once, less where some were lost.
     */
    long surplus(StatusReply status) {
        long done = status.work() == null ? 0 : status.work().samples();
        return status.samples() - done - before;
    }

    /** Returns how many samples this run has trained on, without those of a run it goes on from. */
    long trained(StatusReply status) {
        return Math.max(0, status.samples() - samplesBefore);
    }

    /** Lets workers find all of it. */
    void open() throws IOException, CommandFailedException, InterruptedException {
        plan = plans.plan();
        state();
    }

    private void state() throws IOException, CommandFailedException, InterruptedException {
        stated = System.nanoTime();
        PutWorkReply unused = services.ask(client -> client.putWork(plan));
    }

    /** Lets workers find shards where they lie, while they find any. */
    void keepOpen() throws IOException, CommandFailedException, InterruptedException {
        if (System.nanoTime() - stated > RENEWAL.toNanos()) {
            open();
        }
    }

    /** Lets workers find nothing beyond the first epoch: activations end with the shard that they are at. */
    void close() throws IOException, CommandFailedException, InterruptedException {
        WorkPlan least = new WorkPlan(plan.dataset(), 1, plan.shards());
        PutWorkReply unused = services.ask(client -> client.putWork(least));
    }

    /** Tells whether every epoch is done. */
    boolean isDone(StatusReply status) {
        long all = plan.epochs() * plan.shards().size();
        return plan.epochs() > 0 && status.work() != null && status.work().shardsDone() >= all;
    }
}
