package org.fleetgrad.cli.model;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.fleetgrad.cli.server.ServerOptions;
import org.fleetgrad.protocol.messages.ParameterMessages.RollbackReply;
import org.fleetgrad.runs.output.RunFailedException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code fleetgrad model rollback}. */
@Command(
        name = "rollback",
        mixinStandardHelpOptions = true,
        description = "Rolls a running parameter server back to one of its checkpoints.",
        footer = {"", "Example:", "  fleetgrad model rollback 42 --server http://127.0.0.1:29500"})
final class RollbackCommand implements Callable<Integer> {

    @Spec
    private @Nullable CommandSpec command;

    @Parameters(index = "0", paramLabel = "NUMBER", description = "The checkpoint's number")
    private long number;

    @Mixin
    private final ServerOptions server = new ServerOptions();

    @Override
    public Integer call() throws RunFailedException {
        CommandSpec spec = Objects.requireNonNull(command);
        if (number < 1) {
            throw new ParameterException(spec.commandLine(), "NUMBER must be 1 or more; it is " + number);
        }
        RollbackReply reply = ask();
        PrintWriter out = spec.commandLine().getOut();
        out.println(String.format(
                Locale.ROOT,
                "the server rolled back to checkpoint %d: version %,d of generation %s",
                reply.checkpoint(),
                reply.version(),
                reply.generation()));
        out.flush();
        return 0;
    }

    private RollbackReply ask() throws RunFailedException {
        try {
            // No retry: a second call would undo the steps that the server made since the first.
            return server.client().rollback(number);
        } catch (IOException failed) {
            throw ServerOptions.failure(failed);
        }
    }
}
