package org.fleetgrad.cli.server;

import java.net.URI;
import java.time.Duration;
import org.fleetgrad.cli.run.RunFailedException;
import org.fleetgrad.client.ClientEnvironment;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.PsClient;
import picocli.CommandLine.Option;

/** What commands that speak to a running server have in common. */
public final class ServerOptions {

    @Option(
            names = "--server",
            defaultValue = "http://127.0.0.1:29500",
            description = {
                "The parameter server (default: ${DEFAULT-VALUE}). Where it wants keys, set FLEETGRAD_ACCESS_KEY and",
                "FLEETGRAD_SECRET_KEY (or ..._FILE); over https, FLEETGRAD_TRUST may name a PEM file to trust."
            })
    private URI server = URI.create("http://127.0.0.1:29500");

    /** Prepares a client with the keys and the trust of the environment, which says at once that the server is away. */
    public PsClient client() throws RunFailedException {
        try {
            return ClientEnvironment.read(System.getenv())
                    .client(server, ClientOptions.DEFAULT.withRetryFor(Duration.ZERO));
        } catch (IllegalArgumentException wrong) {
            throw RunFailedException.input(String.valueOf(wrong.getMessage()));
        }
    }
}
