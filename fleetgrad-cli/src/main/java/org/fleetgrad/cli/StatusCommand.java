package org.fleetgrad.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.fleetgrad.cli.display.Figures;
import org.fleetgrad.cli.run.RunFailedException;
import org.fleetgrad.cli.server.ServerOptions;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.protocol.messages.StatusReply;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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

    @Mixin
    private final ServerOptions server = new ServerOptions();

    @Option(names = "--json", description = "The server's own answer")
    private boolean json;

    @Override
    public Integer call() throws RunFailedException {
        PsClient client = server.client();
        StatusReply status;
        try {
            status = client.status();
        } catch (IOException away) {
            throw RunFailedException.remote(String.valueOf(away.getMessage()));
        }
        PrintWriter out = Objects.requireNonNull(command).commandLine().getOut();
        out.println(json ? JsonMapper.builder().build().writeValueAsString(status) : Figures.status(status));
        out.flush();
        return 0;
    }
}
