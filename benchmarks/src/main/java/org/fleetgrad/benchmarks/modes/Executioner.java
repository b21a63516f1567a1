package org.fleetgrad.benchmarks.modes;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
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
    private final Thread thread = new Thread(this::look, "executioner");
    private volatile boolean isClosed;

    /** An activation that is killed when the server has accepted {@code gradients} of its gradients. */
    private record Victim(Process process, long gradients) {}

    Executioner(PsClient server) {
        this.server = server;
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * @param worker    the id under which the activation is registered
     * @param gradients number of accepted gradients after which it is killed
     */
    void condemn(String worker, Process process, long gradients) {
        victims.put(worker, new Victim(process, gradients));
    }

    /** Removes an activation that has ended, for whatever reason. */
    void forget(String worker) {
        victims.remove(worker);
    }

    private void look() {
        while (!isClosed) {
            try {
                if (!victims.isEmpty()) {
                    server.status().workers().forEach(this::judge);
                }
                Thread.sleep(LOOK_MS);
            } catch (IOException busy) {
                // Asks the server again in the next round.
            } catch (InterruptedException closed) {
                return;
            }
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
        isClosed = true;
        thread.interrupt();
    }
}
