package org.fleetgrad.worker.colocated;

import java.io.IOException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.serving.policy.HeldOutScores;
import org.jspecify.annotations.Nullable;

/**
 * Polls the parameter server once a second for the newest held-out accuracy: a worker has no held-out samples of its
 * own.
 */
final class AccuracyPoller implements AutoCloseable {

    private static final long POLL_INTERVAL_MS = 1_000;

    private final HeldOutScores scores;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(AccuracyPoller::thread);
    private volatile @Nullable PsClient server;

    AccuracyPoller(HeldOutScores scores) {
        this.scores = scores;
        ScheduledFuture<?> unused =
                timer.scheduleWithFixedDelay(this::poll, POLL_INTERVAL_MS, POLL_INTERVAL_MS, TimeUnit.MILLISECONDS);
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "accuracy");
        thread.setDaemon(true);
        return thread;
    }

    void follow(PsClient lead) {
        server = lead;
    }

    private void poll() {
        PsClient polled = server;
        if (polled == null) {
            return;
        }
        try {
            polled.version().scored().ifPresent(scores::record);
        } catch (IOException | RuntimeException unreachable) {
            // The training reports a server that is unreachable; the next poll may reach it.
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
