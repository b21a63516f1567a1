package org.fleetgrad.cli.server;

import java.time.Duration;
import org.fleetgrad.cli.failure.CommandFailedException;
import org.fleetgrad.client.ClientEnvironment;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.ParameterServers;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.client.ServerAddresses;
import picocli.CommandLine.Option;

/** What commands that speak to a running server have in common. */
public final class ServerOptions {

    @Option(
            names = "--server",
            defaultValue = "http://127.0.0.1:29500",
            description = {
                "The parameter server (default: ${DEFAULT-VALUE}); of several all, with commas. Where it wants keys, set FLEETGRAD_ACCESS_KEY and",
                "FLEETGRAD_SECRET_KEY (or ..._FILE); over https, FLEETGRAD_TRUST may name a PEM file to trust."
            })
    private String server = "http://127.0.0.1:29500";

    /** Prepares a client with the keys and the trust of the environment, which says at once that the server is away. */
    public ParameterServers clients() throws CommandFailedException {
        for (String address : server.split(",", -1)) {
            // A name alone is more likely a port forgotten than a server at port 80.
            if (!address.contains(":")) {
                throw CommandFailedException.input(
                        "--server must be like http://host:29500; it is '%s'".formatted(address.strip()));
            }
        }
        try {
            return ClientEnvironment.read(System.getenv())
                    .servers(
                            ServerAddresses.parse("--server", server),
                            ClientOptions.DEFAULT.withRetryFor(Duration.ZERO));
        } catch (IllegalArgumentException wrong) {
            throw CommandFailedException.input(String.valueOf(wrong.getMessage()));
        }
    }

    /** Prepares a client of the one server that a command is about. */
    public PsClient client() throws CommandFailedException {
        ParameterServers all = clients();
        if (all.all().size() > 1) {
            throw CommandFailedException.input("this is about one server; --server names %d"
                    .formatted(all.all().size()));
        }
        return all.lead();
    }
}
