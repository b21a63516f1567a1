package org.fleetgrad.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.fleetgrad.cli.display.Figures;
import org.fleetgrad.cli.run.RunFailedException;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.protocol.messages.StatusReply;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;

/** {@code fleetgrad status}. */
@Command(
        name = "status",
        mixinStandardHelpOptions = true,
        description = "Says how a run is doing.",
        footer = {"", "Example:", "  fleetgrad status --server http://127.0.0.1:29500"})
final class StatusCommand implements Callable<Integer> {

    @Spec
    private @Nullable CommandSpec command;

    @Option(
            names = "--server",
            defaultValue = "http://127.0.0.1:29500",
            description = "The parameter server (default: ${DEFAULT-VALUE})")
    private URI server = URI.create("http://127.0.0.1:29500");

    @Option(names = "--json", description = "The server's own answer")
    private boolean json;

    @Override
    public Integer call() throws RunFailedException {
        StatusReply status;
        try {
            status = new PsClient(server, ClientOptions.DEFAULT.withRetryFor(Duration.ZERO)).status();
        } catch (IllegalArgumentException wrongAddress) {
            throw RunFailedException.input(String.valueOf(wrongAddress.getMessage()));
        } catch (IOException away) {
            throw RunFailedException.remote(String.valueOf(away.getMessage()));
        }
        PrintWriter out = Objects.requireNonNull(command).commandLine().getOut();
        out.println(json ? JsonMapper.builder().build().writeValueAsString(status) : Figures.status(status));
        out.flush();
        return 0;
    }
}
