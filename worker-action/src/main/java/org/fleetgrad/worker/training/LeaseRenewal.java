package org.fleetgrad.worker.training;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.protocol.messages.ParameterMessages.VersionReply;

/**
 * Renews a worker's lease while it computes for long between two pushes: otherwise the server would assign its shard to another
 * worker, and drop what it pushes then. A worker that has stopped computing renews nothing. For one thread.
 */
final class LeaseRenewal implements AutoCloseable {

    /** A third of a lease: a renewal may fail, and a batch may take long. */
    private static final int PART = 3;

    /** A server that is well answers sooner. A call to one that hangs is retried for minutes, and computing goes on meanwhile. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final Supplier<Duration> leaseLength;
    private final Supplier<List<PsClient>> servers;
    private final LongSupplier nanos;
    private final CallsBeside calls;
    private Future<?> renewal = CompletableFuture.completedFuture("none");
    private long last;

    /**
     * @param nanos the time, as {@link System#nanoTime} has it: a clock that somebody sets back would end the renewals
     * @param calls runs calls that may hang
     */
    LeaseRenewal(WorkerRegistration registration, LongSupplier nanos, CallsBeside calls) {
        this(registration::leaseLength, () -> List.copyOf(registration.servers().all()), nanos, calls);
    }

    LeaseRenewal(
            Supplier<Duration> leaseLength, Supplier<List<PsClient>> servers, LongSupplier nanos, CallsBeside calls) {
        this.leaseLength = leaseLength;
        this.servers = servers;
        this.nanos = nanos;
        this.calls = calls;
        this.last = nanos.getAsLong();
    }

    /** Records that another call has just renewed the lease. */
    void renewed() {
        last = nanos.getAsLong();
    }

    /** Renews the lease if much of it has passed. */
    void renewIfLate() {
        Duration due = leaseLength.get().dividedBy(PART);
        if (nanos.getAsLong() - last < due.toNanos() || !renewal.isDone()) {
            return;
        }
        List<PsClient> all = servers.get();
        renewal = calls.start(() -> renew(all));
        try {
            Object unused = renewal.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException hanging) {
            // The next push meets it, and handles it.
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof Error error) {
                throw error;
            }
            throw new IllegalStateException(failed.getCause());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        renewed();
    }

    private static String renew(List<PsClient> servers) {
        for (PsClient server : servers) {
            try {
                // The smallest answer there is: any call of the worker renews its lease.
                VersionReply unused = server.version();
            } catch (IOException away) {
                // The next push meets it, and handles it.
            }
        }
        return "tried";
    }

    /** Gives up a renewal that is under way. */
    @Override
    public void close() {
        boolean unused = renewal.cancel(true);
    }
}
