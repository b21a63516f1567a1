package org.fleetgrad.e2e.javakind;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.e2e.JarProcess;
import org.fleetgrad.testing.FreePorts;

/** A parameter server of its own, so that two runs with the same answers can be told apart from two that share one. */
final class Site implements AutoCloseable {

    private final JarProcess process;
    private final URI address;
    private final PsClient client;

    Site(Path log) throws IOException {
        address = URI.create("http://127.0.0.1:" + FreePorts.next());
        process = JarProcess.start("ps-service", log, Map.of("SERVER_PORT", Integer.toString(address.getPort())));
        client = new PsClient(address, ClientOptions.DEFAULT);
        process.awaitUp(() -> client.version().version() == 0);
    }

    String address() {
        return address.toString();
    }

    PsClient client() {
        return client;
    }

    @Override
    public void close() {
        try {
            process.kill();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
