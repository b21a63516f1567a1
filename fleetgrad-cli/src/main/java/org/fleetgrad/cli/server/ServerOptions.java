package org.fleetgrad.cli.server;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.Credentials;
import org.fleetgrad.client.ParameterServers;
import org.fleetgrad.client.ProblemException;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.protocol.ServerAddresses;
import org.fleetgrad.runs.output.RunFailedException;
import picocli.CommandLine.Option;

/** The options of every command that calls a running server, and the error message if the call fails. */
public final class ServerOptions {

    private static final int SERVER_ERRORS = 500;

    @Option(
            names = "--server",
            defaultValue = "http://127.0.0.1:29500",
            description =
                    "Address of the parameter server (default: ${DEFAULT-VALUE}); of several, separated by commas."
                            + " If it has keys, set FLEETGRAD_ACCESS_KEY and FLEETGRAD_SECRET_KEY (or"
                            + " FLEETGRAD_SECRET_KEY_FILE). For https, FLEETGRAD_TRUST may name a PEM file to trust.")
    private String server = "http://127.0.0.1:29500";

    /**
     * Prepares a client with the keys and trusted certificates of the environment; its calls fail immediately if the server
     * is unavailable.
     */
    public ParameterServers clients() throws RunFailedException {
        for (String address : server.split(",", -1)) {
            // A host only: the port was more likely forgotten than meant to be 80.
            if (!address.contains(":")) {
                throw RunFailedException.input(
                        "--server must be like http://host:29500; it is '%s'".formatted(address.strip()));
            }
        }
        try {
            ServerAddresses addresses = ServerAddresses.parse("--server", server);
            ClientOptions options =
                    ClientOptions.DEFAULT.withRetryFor(Duration.ZERO).withEnvironment(System.getenv());
            addresses.uris().forEach(address -> warnOfClearText(options, address));
            return ParameterServers.of(addresses, options);
        } catch (IllegalArgumentException wrong) {
            throw RunFailedException.input(String.valueOf(wrong.getMessage()));
        }
    }

    /** Warns a person whose keys would be readable on the way to a service. */
    public static void warnOfClearText(ClientOptions options, URI address) {
        if (options.credentials().isPresent()) {
            Credentials.clearTextWarning("your keys", address)
                    .ifPresent(warning -> System.err.println("fleetgrad: " + warning));
        }
    }

    /** Prepares a client for a command that calls one server. */
    public PsClient client() throws RunFailedException {
        ParameterServers all = clients();
        if (all.all().size() > 1) {
            throw RunFailedException.input("this command calls one server; --server names %d"
                    .formatted(all.all().size()));
        }
        return all.lead();
    }

    /** Returns the failure of a call: of the command's input if the server refused it. */
    public static RunFailedException failure(IOException failed) {
        return failed instanceof ProblemException refused && refused.problem().status() < SERVER_ERRORS
                ? RunFailedException.input(explain(failed))
                : RunFailedException.remote(explain(failed));
    }

    /** Explains a call that failed; after a 401 also which variables hold the keys. */
    public static String explain(IOException failed) {
        String message = String.valueOf(failed.getMessage());
        return failed instanceof ProblemException refused
                ? message + Credentials.advice(refused, System.getenv())
                : message;
    }
}
