package org.fleetgrad.cli.model;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.fleetgrad.checkpoints.Checkpoint;
import org.fleetgrad.checkpoints.CheckpointManifest;
import org.fleetgrad.files.AtomicFile;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.runs.output.RunFailedException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code fleetgrad model export}. */
@Command(
        name = "export",
        mixinStandardHelpOptions = true,
        description = {
            "Writes a checkpoint's parameters, without the optimizer's state, as a file for PyTorch.",
            "For a run with several servers, joins the newest checkpoints of all of them."
        },
        footer = {
            "",
            "Example:",
            "  fleetgrad model export 42 --checkpoints runs/20260102-030405 --out model.safetensors",
            "and in Python:",
            "  network.load_state_dict(safetensors.torch.load_file(\"model.safetensors\"), strict=True)"
        })
final class ExportCommand implements Callable<Integer> {

    @Mixin
    private final CheckpointSource source = new CheckpointSource();

    @Mixin
    private final CheckpointChoice choice = new CheckpointChoice();

    @Option(
            names = "--mixed",
            description = "Join parts of different versions, which the servers of an asynchronous run may have")
    private boolean isMixed;

    @Mixin
    private final OutputFile file = new OutputFile();

    @Override
    public Integer call() throws RunFailedException {
        Path out = file.require();
        PartitionedCheckpoints several = source.partitions();
        if (several.folders().isEmpty()) {
            source.read((checkpoints, location) -> write(source.choose(checkpoints, location, choice), out));
        } else {
            writeJoined(several, out);
        }
        return 0;
    }

    private void writeJoined(PartitionedCheckpoints several, Path out) throws RunFailedException {
        if (choice.number().isPresent()) {
            throw RunFailedException.input(
                    "each of the %d servers numbers its own checkpoints; leave out the number to export the newest that can be joined"
                            .formatted(several.folders().size()));
        }
        try {
            PartitionedCheckpoints.Joined joined = several.newest(isMixed);
            byte[] bytes = Safetensors.encode(joined.parameters()).array();
            AtomicFile.write(out, bytes);
            source.print(String.format(
                    Locale.ROOT,
                    "%s: the parts of %d servers, versions %s, %,d parameters, %s",
                    out,
                    several.folders().size(),
                    joined.versions(),
                    joined.parameters().layout().elementCount(),
                    Amounts.bytes(bytes.length)));
        } catch (IOException failed) {
            throw RunFailedException.input("the checkpoints of %d servers cannot be joined: %s"
                    .formatted(several.folders().size(), failed.getMessage()));
        }
    }

    private void write(Checkpoint checkpoint, Path out) throws RunFailedException {
        CheckpointManifest manifest = checkpoint.manifest();
        byte[] bytes = checkpoint.file(CheckpointManifest.PARAMETERS).orElseThrow();
        try {
            AtomicFile.write(out, bytes);
        } catch (IOException failed) {
            throw RunFailedException.input("%s cannot be written: %s".formatted(out, failed));
        }
        source.print(String.format(
                Locale.ROOT,
                "%s: %s, version %,d of generation %s, %,d parameters, %s",
                out,
                manifest.name(),
                manifest.version(),
                manifest.generation(),
                checkpoint.parameters().layout().elementCount(),
                Amounts.bytes(bytes.length)));
    }
}
