package org.fleetgrad.runs.watch;

import java.io.IOException;
import java.time.Duration;
import java.util.OptionalDouble;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.protocol.messages.RunMessages.StatusReply;
import org.fleetgrad.protocol.messages.WorkMessages.PutWorkReply;
import org.fleetgrad.protocol.messages.WorkerMessages.UnregisterWorkerReply;
import org.fleetgrad.protocol.work.WorkPlan;
import org.fleetgrad.runs.fleet.WorkerIds;
import org.fleetgrad.runs.output.RunFailedException;
import org.fleetgrad.runs.services.Services;
import org.fleetgrad.runs.shards.BucketShards;

/**
 * The work of a run: registered at the parameter server, opened and closed for workers. Confined to the thread that watches
 * the run.
 */
public final class RunWork {

    /** Addresses of shards expire, so the work is registered again with new ones after a quarter of their lifetime. */
    private static final Duration RENEWAL = BucketShards.LIFETIME.dividedBy(4);

    private final Services services;
    private final Plans plans;
    private WorkPlan plan;
    private long stated;
    private long before;
    private long samplesBefore;
    private long versionBefore;

    /** Makes a plan of the same work with new shard addresses. */
    @FunctionalInterface
    public interface Plans {
        WorkPlan plan() throws IOException;
    }

    private RunWork(Services services, Plans plans, WorkPlan plan) {
        this.services = services;
        this.plans = plans;
        this.plan = plan;
    }

    /** Registers the work at the server. */
    public static RunWork begin(Services services, Plans plans)
            throws IOException, RunFailedException, InterruptedException {
        RunWork work = new RunWork(services, plans, plans.plan());
        endEarlierLeases(services);
        work.state();
        // The statistics of a resumed run include the samples of the previous run.
        StatusReply first = services.ask(PsClient::status);
        work.before = work.surplus(first);
        work.samplesBefore = first.samples();
        work.versionBefore = first.version();
        return work;
    }

    /**
     * Ends the leases of workers that an earlier driver of this run started: they ended with it. Until its lease expired, each would
     * hold its shard, whose remaining samples would then be trained on too late, and the run would get other bits.
     */
    private static void endEarlierLeases(Services services)
            throws IOException, RunFailedException, InterruptedException {
        for (StatusReply.Worker worker : services.ask(PsClient::status).workers()) {
            if (WorkerIds.isOne(worker.id())) {
                UnregisterWorkerReply unused = services.askAll(servers -> servers.unregister(worker.id()));
            }
        }
    }

    /**
     * Returns how many more samples the statistics count than the work. The statistics count the samples of steps, the work
     * counts those that its cursors have passed: 0 if each sample counts once, below 0 if some were lost.
     */
    long surplus(StatusReply status) {
        StatusReply.AddedWork added =
                status.work() == null ? null : status.work().added();
        long done = (status.work() == null ? 0 : status.work().samples()) + (added == null ? 0 : added.samples());
        return status.samples() - done - before;
    }

    /** Returns how many samples this run has trained on, without those of a run that it resumed from. */
    long trained(StatusReply status) {
        return Math.max(0, status.samples() - samplesBefore);
    }

    /** Returns how many steps this run has taken, without those of a run that it resumed from. */
    long steps(StatusReply status) {
        return Math.max(0, status.version() - versionBefore);
    }

    /** Returns the samples of all epochs; empty if the work has no end. */
    OptionalDouble samples() {
        return plan.epochs() == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of((double) plan.epochs()
                        * plan.shards().stream()
                                .mapToLong(WorkPlan.PlannedShard::samples)
                                .sum());
    }

    /** Returns how many samples this run trains on until it has done so many epochs, with those of a run that it resumed from. */
    double samplesUntil(double epochs) {
        double epoch =
                plan.shards().stream().mapToLong(WorkPlan.PlannedShard::samples).sum();
        return Math.max(0, epochs * epoch - samplesBefore);
    }

    /** Returns how many steps this run takes until a version. */
    long stepsUntil(long version) {
        return Math.max(0, version - versionBefore);
    }

    /** Gives workers the rest of the work. */
    void open() throws IOException, RunFailedException, InterruptedException {
        plan = plans.plan();
        state();
    }

    private void state() throws IOException, RunFailedException, InterruptedException {
        stated = System.nanoTime();
        PutWorkReply unused = services.ask(client -> client.putWork(plan));
    }

    /** Renews the addresses of the shards before they expire. */
    void keepOpen() throws IOException, RunFailedException, InterruptedException {
        if (System.nanoTime() - stated > RENEWAL.toNanos()) {
            open();
        }
    }

    /** Gives workers no further shards, so that activations end with their current one. */
    void close() throws IOException, RunFailedException, InterruptedException {
        PutWorkReply unused = services.ask(client -> client.putWork(plan.asPaused()));
    }

    /** Returns whether every epoch is done, and every shard that was added. */
    boolean isDone(StatusReply status) {
        long all = plan.epochs() * plan.shards().size();
        return plan.epochs() > 0
                && status.work() != null
                && status.work().shardsDone() >= all
                && (status.work().added() == null || status.work().added().shardsLeft() == 0);
    }
}
