package org.fleetgrad.e2e.javakind;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.e2e.faults.PartitionServer;
import org.fleetgrad.e2e.faults.ServerHost;

/** A parameter server of its own, so that two runs with the same answers can be told apart from two that share one. */
final class Site implements AutoCloseable {

    private final PartitionServer server;
    private final URI address;
    private final PsClient client;

    /** Starts the server in {@code host}; it keeps its run in the empty folder {@code folder}. */
    Site(ServerHost host, Path folder) throws IOException {
        server = host.start(folder, Map.of());
        address = URI.create("http://127.0.0.1:" + server.port());
        client = new PsClient(address, ClientOptions.DEFAULT);
    }

    String address() {
        return address.toString();
    }

    PsClient client() {
        return client;
    }

    @Override
    public void close() {
        server.close();
    }
}
