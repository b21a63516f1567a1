package org.fleetgrad.cli.server;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.fleetgrad.client.ParameterServers;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.protocol.messages.RunMessages.StatusReply;
import org.fleetgrad.runs.output.Figures;
import org.fleetgrad.runs.output.RunFailedException;
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
        description = "Shows the status of a running parameter server.",
        footer = {"", "Example:", "  fleetgrad status --server http://127.0.0.1:29500"})
public final class StatusCommand implements Callable<Integer> {

    @Spec
    private @Nullable CommandSpec command;

    @Mixin
    private final ServerOptions server = new ServerOptions();

    @Option(
            names = "--json",
            description = "Print the result as JSON: the server's own response; of several servers the lead's")
    private boolean json;

    @Override
    public Integer call() throws RunFailedException {
        ParameterServers servers = server.clients();
        StatusReply status;
        List<StatusReply> others = new ArrayList<>();
        try {
            status = servers.lead().status();
            for (PsClient other : servers.all().subList(1, servers.all().size())) {
                others.add(other.status());
            }
        } catch (IOException away) {
            throw RunFailedException.remote(ServerOptions.explain(away));
        }
        PrintWriter out = Objects.requireNonNull(command).commandLine().getOut();
        out.println(json ? JsonMapper.builder().build().writeValueAsString(status) : Figures.status(status));
        if (!json && !others.isEmpty()) {
            others.add(0, status);
            out.println(Figures.partitions(others));
        }
        out.flush();
        return 0;
    }
}
