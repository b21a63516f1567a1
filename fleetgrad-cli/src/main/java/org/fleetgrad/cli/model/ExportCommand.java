package org.fleetgrad.cli.model;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.fleetgrad.cli.display.Amounts;
import org.fleetgrad.cli.options.DataOptions;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.runs.output.RunFailedException;
import org.fleetgrad.runs.output.SavedModel;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code fleetgrad model export}. */
@Command(
        name = "export",
        mixinStandardHelpOptions = true,
        description = {
            "Writes a model, without the optimizer's state: as a file for PyTorch, as ONNX, or as a folder for Hugging Face's"
                    + " transformers. A page that describes it lies beside it.",
            "Of a checkpoint, or of what a run left in its folder. For a run with several servers, joins the newest"
                    + " checkpoints of all of them.",
            "A file of ONNX is compared with the network first, on held-out samples: those of --data (the options of a"
                    + " dataset are those of train), else those of the run's shards, else random ones."
        },
        footer = {
            "",
            "Examples:",
            "  fleetgrad model export --best --checkpoints runs/20260102-030405 --out model.safetensors",
            "  fleetgrad model export 42 --checkpoints runs/20260102-030405 --out model.safetensors",
            "and in Python:",
            "  network.load_state_dict(safetensors.torch.load_file(\"model.safetensors\"), strict=True)",
            "",
            "  fleetgrad model export --from runs/20260102-030405 --to onnx --out model.onnx",
            "  fleetgrad model export --from runs/20260102-030405 --to huggingface --out FOLDER"
        })
final class ExportCommand implements Callable<Integer> {

    @Spec
    private @Nullable CommandSpec command;

    @ArgGroup(multiplicity = "1")
    private Source source = new Source();

    @Mixin
    private final CheckpointChoice choice = new CheckpointChoice();

    @Option(
            names = "--mixed",
            description = "Join parts of different versions, which the servers of an asynchronous run may have")
    private boolean isMixed;

    @Option(
            names = "--to",
            paramLabel = "FORMAT",
            defaultValue = "safetensors",
            description = "Target of the export: safetensors, onnx or huggingface (default: ${DEFAULT-VALUE})")
    private ExportFormat format = ExportFormat.SAFETENSORS;

    @Mixin
    private final OutputFile file = new OutputFile();

    @Mixin
    private final DataOptions data = new DataOptions();

    /** Where the model comes from. */
    private static final class Source {

        @Option(names = "--checkpoints", paramLabel = "LOCATION", description = CheckpointSource.DESCRIPTION)
        private @Nullable String checkpoints;

        @Option(
                names = "--from",
                paramLabel = "RUN",
                description = "Begin with the model that a run left in its folder, or with a safetensors file")
        private @Nullable Path from;
    }

    @Override
    public Integer call() throws RunFailedException, IOException, InterruptedException {
        CommandSpec spec = Objects.requireNonNull(command);
        SampleWords samples = SampleWords.of(spec, data);
        if (format != ExportFormat.ONNX && samples.hasAny()) {
            throw new ParameterException(
                    spec.commandLine(), "--data and its options are for --to onnx, which is compared on samples");
        }
        Path out = format == ExportFormat.HUGGINGFACE ? file.requireNewFolder() : file.require();
        Optional<Path> card =
                format == ExportFormat.HUGGINGFACE ? Optional.empty() : Optional.of(file.requireCard(out));
        ExportedModel model = model(spec);
        String text = ModelCard.of(model, format, out.getFileName().toString());
        switch (format) {
            case ONNX -> {
                int code = new OnnxFile(model, samples, file.isForced()).write(out);
                if (code != 0) {
                    return code;
                }
            }
            case HUGGINGFACE -> HuggingFaceExport.write(model, out, text);
            case SAFETENSORS ->
                ModelFiles.write(out, Safetensors.encode(model.parameters()).array());
        }
        if (card.isPresent()) {
            ModelFiles.write(card.get(), text);
        }
        if (format != ExportFormat.ONNX) {
            Path written = format == ExportFormat.HUGGINGFACE ? SavedModel.file(out) : out;
            print(spec, summary(model, out, Files.size(written)));
        }
        return 0;
    }

    private static String summary(ExportedModel model, Path out, long bytes) {
        return String.format(
                Locale.ROOT,
                "%s: %s, %,d parameters, %s",
                out,
                model.origin(),
                model.parameters().layout().elementCount(),
                Amounts.bytes(bytes));
    }

    private ExportedModel model(CommandSpec spec) throws RunFailedException {
        if (source.from != null) {
            if (choice.number().isPresent() || isMixed) {
                throw new ParameterException(
                        spec.commandLine(), "NUMBER and --mixed choose checkpoints: they go with --checkpoints");
            }
            if (choice.isBest()) {
                throw new ParameterException(
                        spec.commandLine(), "--best is kept beside checkpoints: it goes with --checkpoints");
            }
            return ExportedModel.from(source.from);
        }
        CheckpointPlace place = new CheckpointPlace(Objects.requireNonNull(source.checkpoints), spec);
        PartitionedCheckpoints several = place.partitions();
        return several.folders().isEmpty() || choice.isBest() ? single(place) : joined(several, place);
    }

    private ExportedModel single(CheckpointPlace place) throws RunFailedException {
        ExportedModel[] model = new ExportedModel[1];
        place.read((checkpoints, location) ->
                model[0] = ExportedModel.of(place.choose(checkpoints, location, choice), choice.isBest(), place));
        return model[0];
    }

    private ExportedModel joined(PartitionedCheckpoints several, CheckpointPlace place) throws RunFailedException {
        if (choice.number().isPresent()) {
            throw RunFailedException.input(
                    "each of the %d servers numbers its own checkpoints; leave out the number to export the newest that can be joined"
                            .formatted(several.folders().size()));
        }
        try {
            return ExportedModel.of(several.newest(isMixed), place);
        } catch (IOException failed) {
            throw RunFailedException.input("the checkpoints of %d servers cannot be joined: %s"
                    .formatted(several.folders().size(), failed.getMessage()));
        }
    }

    private static void print(CommandSpec spec, String line) {
        spec.commandLine().getOut().println(line);
        spec.commandLine().getOut().flush();
    }
}
