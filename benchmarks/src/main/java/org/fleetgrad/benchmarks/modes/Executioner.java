package org.fleetgrad.benchmarks.modes;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.protocol.messages.RunMessages.StatusReply;

/**
 * Kills workers when the server has accepted a number of gradients of their activation, not at a time: a share of the
 * work is the same moment in every cell, however fast it is.
 */
final class Executioner implements AutoCloseable {

    private static final int LOOK_MS = 10;

    private final PsClient server;
    private final Map<String, Victim> victims = new ConcurrentHashMap<>();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
    private final Future<?> looking = thread.scheduleWithFixedDelay(this::look, 0, LOOK_MS, TimeUnit.MILLISECONDS);

    private record Victim(Process process, long gradients) {}

    Executioner(PsClient server) {
        this.server = server;
    }

    /** Kills the worker with this id when {@code gradients} of its gradients are accepted. */
    void condemn(String worker, Process process, long gradients) {
        victims.put(worker, new Victim(process, gradients));
    }

    void forget(String worker) {
        victims.remove(worker);
    }

    private void look() {
        try {
            if (!victims.isEmpty()) {
                server.status().workers().forEach(this::judge);
            }
        } catch (IOException busy) {
            // Asks the server again in the next round.
        }
    }

    private void judge(StatusReply.Worker worker) {
        Victim victim = victims.get(worker.id());
        if (victim != null && worker.applied() >= victim.gradients()) {
            victim.process().destroyForcibly();
        }
    }

    @Override
    public void close() {
        looking.cancel(true);
        thread.shutdownNow();
    }
}
