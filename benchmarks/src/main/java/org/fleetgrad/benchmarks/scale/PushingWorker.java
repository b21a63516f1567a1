package org.fleetgrad.benchmarks.scale;

import java.io.IOException;
import org.fleetgrad.benchmarks.exchange.GradientPushes;
import org.fleetgrad.benchmarks.exchange.LoadConnection;
import org.fleetgrad.benchmarks.process.Programs;

/** Pushes over a connection of its own. A server that is full refuses: then it repeats the push after a pause, as ps-client does. */
final class PushingWorker implements AutoCloseable {

    /** The first pause of ps-client. */
    private static final long PAUSE_MS = 50;

    private final Programs.Server server;
    private final GradientPushes pushes;
    private LoadConnection connection;
    private long refused;

    PushingWorker(Programs.Server server, GradientPushes pushes) throws IOException {
        this.server = server;
        this.pushes = pushes;
        this.connection = new LoadConnection(server.address());
    }

    void push() throws IOException, InterruptedException {
        while (true) {
            try {
                pushes.push(connection);
                return;
            } catch (IOException full) {
                if (!server.process().isAlive()) {
                    throw full;
                }
                refused++;
                connection.close();
                Thread.sleep(PAUSE_MS);
                connection = new LoadConnection(server.address());
            }
        }
    }

    /** Returns how many requests were refused; read after the last push. */
    long refused() {
        return refused;
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}
