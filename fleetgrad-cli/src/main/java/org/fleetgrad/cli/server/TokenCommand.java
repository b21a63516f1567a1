package org.fleetgrad.cli.server;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.ServiceToken;
import org.fleetgrad.runs.output.RunFailedException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code fleetgrad token}. */
@Command(
        name = "token",
        mixinStandardHelpOptions = true,
        description =
                "Prints the header with a token for a service with keys: the inference API, or a parameter server.",
        footer = {
            "",
            "Example:",
            "  curl -H \"$(fleetgrad token --url http://127.0.0.1:29600)\" http://127.0.0.1:29600/status"
        })
public final class TokenCommand implements Callable<Integer> {

    @Spec
    private @Nullable CommandSpec command;

    @Option(
            names = "--url",
            defaultValue = "http://127.0.0.1:29600",
            description =
                    "Address of the service (default: ${DEFAULT-VALUE}). The keys come from FLEETGRAD_ACCESS_KEY and"
                            + " FLEETGRAD_SECRET_KEY (or FLEETGRAD_SECRET_KEY_FILE); for https, FLEETGRAD_TRUST may name a PEM"
                            + " file to trust.")
    private URI service = URI.create("http://127.0.0.1:29600");

    @Override
    public Integer call() throws RunFailedException {
        PrintWriter out = Objects.requireNonNull(command).commandLine().getOut();
        out.println("Authorization: " + authorization());
        out.flush();
        return 0;
    }

    private String authorization() throws RunFailedException {
        Optional<ServiceToken> token;
        try {
            ClientOptions options = ClientOptions.DEFAULT.withEnvironment(System.getenv());
            ServerOptions.warnOfClearText(options, service);
            token = ServiceToken.of(service, options);
        } catch (IllegalArgumentException wrong) {
            throw RunFailedException.input(String.valueOf(wrong.getMessage()));
        }
        if (token.isEmpty()) {
            throw RunFailedException.input(
                    "there are no keys: set FLEETGRAD_ACCESS_KEY and FLEETGRAD_SECRET_KEY (or FLEETGRAD_SECRET_KEY_FILE)");
        }
        try {
            return token.get()
                    .authorization()
                    .orElseThrow(() ->
                            RunFailedException.input("%s has no keys: ask it without a token".formatted(service)));
        } catch (IOException away) {
            throw RunFailedException.remote(ServerOptions.explain(away));
        }
    }
}
