package org.fleetgrad.cli.model;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.fleetgrad.checkpoints.BestVersion;
import org.fleetgrad.cli.display.Amounts;
import org.fleetgrad.cli.options.LastRun;
import org.fleetgrad.cli.server.ServerOptions;
import org.fleetgrad.client.PullResult;
import org.fleetgrad.files.AtomicFile;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.runs.output.RunFailedException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code fleetgrad model pull}. */
@Command(
        name = "pull",
        mixinStandardHelpOptions = true,
        description = {
            "Writes the newest parameters of a running server, which workers compute on, as a file for PyTorch.",
            "If several servers have a part of the parameters each, name all of them, in the order of their partitions.",
            "With --best it writes the best version so far of a run instead, also while the run goes on. A server does not",
            "publish that one, so it is read from the checkpoints of --checkpoints, and --best does not go with --server."
        },
        footer = {
            "",
            "Examples:",
            "  fleetgrad model pull --out model.safetensors",
            "  fleetgrad model pull --best --out best.safetensors",
            "  fleetgrad model pull --best --checkpoints s3://bucket/run --out best.safetensors",
            "  fleetgrad model pull --server http://a:29500,http://b:29500 --out model.safetensors"
        })
final class PullCommand implements Callable<Integer> {

    @Spec
    private @Nullable CommandSpec command;

    @Mixin
    private final ServerOptions server = new ServerOptions();

    @Mixin
    private final OutputFile file = new OutputFile();

    @Option(
            names = "--best",
            description =
                    "Take the version with the best held-out score, which the server keeps beside its checkpoints, in"
                            + " place of the newest one")
    private boolean isBest;

    @Option(
            names = "--checkpoints",
            paramLabel = "LOCATION",
            description =
                    CheckpointSource.DESCRIPTION + "; with --best (default: LAST, the newest run on this machine)")
    private @Nullable String checkpoints;

    @Override
    public Integer call() throws RunFailedException {
        CommandSpec spec = Objects.requireNonNull(command);
        if (checkpoints != null && !isBest) {
            throw new ParameterException(
                    spec.commandLine(), "--checkpoints goes with --best; without it, pull asks --server");
        }
        if (isBest && spec.commandLine().getParseResult().hasMatchedOption("--server")) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--best does not go with --server, which publishes its newest version only: pass --checkpoints with the folder or bucket of its checkpoints, or the folder of its run");
        }
        Path out = file.require();
        ServedParameters served = isBest ? best(spec) : newest();
        byte[] bytes = Safetensors.encode(served.parameters()).array();
        try {
            AtomicFile.write(out, bytes);
        } catch (IOException failed) {
            throw RunFailedException.input("%s cannot be written: %s".formatted(out, failed));
        }
        var terminal = spec.commandLine().getOut();
        terminal.println(String.format(
                Locale.ROOT,
                "%s: %s, %,d parameters, %s",
                out,
                served.origin(),
                served.parameters().layout().elementCount(),
                Amounts.bytes(bytes.length)));
        terminal.flush();
        return 0;
    }

    /** Parameters, and for people which version they are. */
    private record ServedParameters(TensorSet parameters, String origin) {}

    private ServedParameters newest() throws RunFailedException {
        PullResult pulled = pull();
        if (!(pulled instanceof PullResult.Pulled newest)) {
            throw RunFailedException.input("the server has no parameters yet: no worker has started");
        }
        return new ServedParameters(
                newest.parameters(),
                versions(newest.parts()) + " of generation " + newest.version().generation());
    }

    /** The server publishes the newest version only; the best one lies beside its checkpoints, also while it runs. */
    private ServedParameters best(CommandSpec spec) throws RunFailedException {
        CheckpointPlace place = new CheckpointPlace(
                LastRun.folder(checkpoints == null ? LastRun.WORD : checkpoints, System.getenv()), spec);
        ExportedModel[] model = new ExportedModel[1];
        place.read((all, location) -> {
            try (BestVersion best = place.best(location)) {
                model[0] = ExportedModel.of(best.read(), true, place);
            }
        });
        return new ServedParameters(model[0].parameters(), model[0].origin() + " in " + place.from());
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
