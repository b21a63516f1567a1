package org.fleetgrad.pipelineruns;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.fleetgrad.client.ProblemException;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.networks.block.BlockRange;
import org.fleetgrad.pipeline.cut.Cut;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.messages.WorkerMessages.RegisterWorkerReply;
import org.fleetgrad.protocol.messages.WorkerMessages.RegisterWorkerRequest;

/**
 * The stages as members of the run at the parameter server. The driver registers them and renews their leases in a thread of
 * its own, because stages never call a server themselves.
 */
final class StageMembers implements AutoCloseable {

    private static final int RENEWALS_PER_LEASE = 3;
    /** Assumed length of a lease that another registration began, whose length is unknown. */
    private static final long UNKNOWN_LEASE_MS = 3_000;

    private final PsClient server;
    private final List<String> stages = new ArrayList<>();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread thread = new Thread(work, "renew-stages");
        thread.setDaemon(true);
        return thread;
    });
    private long leaseMs = Long.MAX_VALUE;

    private StageMembers(PsClient server) {
        this.server = server;
    }

    /** Registers {@code stage-0} and so on; the description of each has its blocks. */
    static StageMembers register(PsClient server, Cut cut) throws IOException {
        StageMembers members = new StageMembers(server);
        for (int stage = 0; stage < cut.stages().size(); stage++) {
            members.register("stage-" + stage, cut.stages().get(stage));
        }
        long period = Math.max(1, members.leaseMs / RENEWALS_PER_LEASE);
        ScheduledFuture<?> unused =
                members.timer.scheduleWithFixedDelay(members::renew, period, period, TimeUnit.MILLISECONDS);
        return members;
    }

    private void register(String stage, BlockRange range) throws IOException {
        try {
            RegisterWorkerReply reply = server.register(new RegisterWorkerRequest(stage, range.toString(), null, null));
            leaseMs = Math.min(leaseMs, reply.leaseMs());
        } catch (ProblemException problem) {
            // A resumed run finds the members of its previous process, whose driver could not end their leases.
            if (!problem.problem().is(ProblemKind.WORKER_EXISTS)) {
                throw problem;
            }
            leaseMs = Math.min(leaseMs, UNKNOWN_LEASE_MS);
        }
        stages.add(stage);
    }

    private void renew() {
        for (String stage : stages) {
            try {
                Object unused = server.as(stage).version();
            } catch (IOException away) {
                // The watch of the run notices that the server is gone.
            }
        }
    }

    /** Ends the leases, at the end of a run. */
    void leave() {
        timer.shutdownNow();
        for (String stage : stages) {
            try {
                Object unused = server.as(stage).unregister(stage);
            } catch (IOException away) {
                // The lease expires by itself.
            }
        }
    }

    /** Stops renewing. After a failure the server may be gone and is not called: the leases expire. */
    @Override
    public void close() {
        timer.shutdownNow();
    }
}
