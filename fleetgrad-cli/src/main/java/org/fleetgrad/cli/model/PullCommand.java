package org.fleetgrad.cli.model;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.fleetgrad.cli.display.Amounts;
import org.fleetgrad.cli.server.ServerOptions;
import org.fleetgrad.client.PullResult;
import org.fleetgrad.files.AtomicFile;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.runs.output.RunFailedException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code fleetgrad model pull}. */
@Command(
        name = "pull",
        mixinStandardHelpOptions = true,
        description = {
            "Writes the newest parameters of a running server, which workers compute on, as a file for PyTorch.",
            "If several servers have a part of the parameters each, name all of them, in the order of their partitions."
        },
        footer = {
            "",
            "Examples:",
            "  fleetgrad model pull --out model.safetensors",
            "  fleetgrad model pull --server http://a:29500,http://b:29500 --out model.safetensors"
        })
final class PullCommand implements Callable<Integer> {

    @Spec
    private @Nullable CommandSpec command;

    @Mixin
    private final ServerOptions server = new ServerOptions();

    @Mixin
    private final OutputFile file = new OutputFile();

    @Override
    public Integer call() throws RunFailedException {
        Path out = file.require();
        PullResult pulled = pull();
        if (!(pulled instanceof PullResult.Pulled newest)) {
            throw RunFailedException.input("the server has no parameters yet: no worker has started");
        }
        byte[] bytes = Safetensors.encode(newest.parameters()).array();
        try {
            AtomicFile.write(out, bytes);
        } catch (IOException failed) {
            throw RunFailedException.input("%s cannot be written: %s".formatted(out, failed));
        }
        var terminal = Objects.requireNonNull(command).commandLine().getOut();
        terminal.println(String.format(
                Locale.ROOT,
                "%s: %s of generation %s, %,d parameters, %s",
                out,
                versions(newest.parts()),
                newest.version().generation(),
                newest.parameters().layout().elementCount(),
                Amounts.bytes(bytes.length)));
        terminal.flush();
        return 0;
    }

    private PullResult pull() throws RunFailedException {
        try {
            return server.clients().pull();
        } catch (IOException failed) {
            throw ServerOptions.failure(failed);
        }
    }

    /** The parts of an asynchronous run have different versions, as do the parameters that its workers pull. */
    private static String versions(List<ParameterVersion> parts) {
        List<String> each = parts.stream()
                .map(part -> String.format(Locale.ROOT, "%,d", part.version()))
                .toList();
        return each.size() == 1 ? "version " + each.get(0) : "versions " + String.join(" ", each);
    }
}
