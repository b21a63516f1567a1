package org.fleetgrad.evaluator;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.fleetgrad.evaluator.export.ComparedSamples;
import org.fleetgrad.evaluator.export.Comparison;
import org.fleetgrad.evaluator.export.VerifiedExport;
import org.fleetgrad.evaluator.samples.HeldOutSamples;
import org.fleetgrad.evaluator.source.ModelFile;
import org.fleetgrad.files.DiskSpace;
import org.fleetgrad.networks.NetworkName;
import org.fleetgrad.onnx.file.OnnxModel;
import org.fleetgrad.protocol.tensor.TensorSet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The part of {@code fleetgrad model export --to onnx} that computes: it compares the file with libtorch. The command line finds the
 * parameters, and says what there is to say of its options.
 */
@Command(name = "fleetgrad model export", mixinStandardHelpOptions = true)
final class ExportCommand implements Callable<Integer> {

    /** The first argument of the program, if this is the command. */
    static final String WORD = "export";

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Option(names = "--model", paramLabel = "FILE", required = true, description = "Parameters, as safetensors")
    private Path model = Path.of("");

    @Option(names = "--out", paramLabel = "FILE", required = true, description = "Write to this file")
    private Path out = Path.of("");

    @Mixin
    private final SampleOptions held = new SampleOptions();

    @Override
    public Integer call() throws IOException {
        TensorSet parameters = ModelFile.read(model);
        VerifiedExport export = VerifiedExport.of(parameters);
        ComparedSamples samples = held.data().isPresent()
                ? ComparedSamples.heldOut(
                        held.data().get().toString(),
                        HeldOutSamples.read(held.data().get(), held.folder()),
                        export.network(),
                        parameters)
                : export.random();
        Comparison comparison = write(export, samples);
        print(String.format(
                Locale.ROOT,
                "%s: %s as ONNX, opset %d, %,d bytes",
                out,
                NetworkName.parse(export.network().name()).base(),
                OnnxModel.OPSET,
                export.export().model().byteLength()));
        print("onnxruntime answers as libtorch does on %s: %s".formatted(samples.description(), comparison));
        return 0;
    }

    private Comparison write(VerifiedExport export, ComparedSamples samples) throws IOException {
        try {
            return export.write(out, samples);
        } catch (IOException failed) {
            long bytes = export.export().model().byteLength();
            throw new IOException(
                    "%s cannot be written: %s%s"
                            .formatted(out, failed.getMessage(), DiskSpace.noteOf(out, bytes, failed)),
                    failed);
        }
    }

    private void print(String line) {
        PrintWriter terminal = command.commandLine().getOut();
        terminal.println(line);
        terminal.flush();
    }
}
