package org.fleetgrad.e2e.faults;

import java.net.URI;
import java.time.Duration;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.PsClient;

/** A server with a partition of the parameters. */
public interface PartitionServer extends AutoCloseable {

    int port();

    /** Returns a client that asks once. */
    default PsClient client() {
        return new PsClient(
                URI.create("http://127.0.0.1:" + port()), ClientOptions.DEFAULT.withRetryFor(Duration.ZERO));
    }

    @Override
    void close();
}
