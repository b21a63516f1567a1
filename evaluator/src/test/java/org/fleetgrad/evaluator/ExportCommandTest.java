package org.fleetgrad.evaluator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.datasets.shard.ShardSet;
import org.fleetgrad.datasets.synth.SyntheticDigits;
import org.fleetgrad.evaluator.export.DifferentAnswersException;
import org.fleetgrad.evaluator.export.VerifiedExport;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.MetadataKeys;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.testing.SmallDisk;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The part of an export to ONNX that computes: what it compares on, and that nothing is left when it fails. */
class ExportCommandTest {

    private static final NetworkDefinition LENET = Networks.usual("lenet5");

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void shouldCompareOnHeldOutSamples() throws IOException {
        ImageSamples train = SyntheticDigits.generate(60, 1);
        ShardSet.write(folder.resolve("shards"), "generated-digits", train, SyntheticDigits.generate(150, 2), 2);
        Normalization normalization = Normalization.of(train);
        String scaling = "{\"mean\":%s,\"std\":%s}".formatted(normalization.mean(), normalization.std());

        int code = run(model(Map.of(MetadataKeys.NORMALIZATION, scaling), 1), "--data", folder.toString());

        assertThat(code).as(err.toString()).isZero();
        assertThat(out.toString().lines())
                .hasSize(2)
                .anyMatch(line -> line.matches(".*m\\.onnx: lenet5 as ONNX, opset 17, [0-9,]+ bytes"))
                .anyMatch(
                        line -> line.matches(
                                "onnxruntime answers as libtorch does on 100 of 150 held-out samples of .*: the largest difference is [0-9.]+e-[0-9]+, [0-9.]+e-[0-9]+ of the largest output"));
        assertThat(folder.resolve("m.onnx")).isRegularFile();
    }

    @Test
    void shouldSayThatSamplesAreRandom() throws IOException {
        assertThat(run(model(Map.of(), 1))).as(err.toString()).isZero();

        assertThat(out.toString()).contains("on 100 random samples (--data compares on real ones): ");
    }

    @Test
    void shouldRefuseSamplesOfOtherImages() throws IOException {
        ShardSet.write(
                folder.resolve("shards"),
                "generated-digits",
                SyntheticDigits.generate(60, 1),
                SyntheticDigits.generate(20, 2),
                2);
        NetworkDefinition other = Networks.usual("lenet5?input=3x32x32");
        Path file = folder.resolve("other.safetensors");
        Files.write(
                file,
                Safetensors.encode(TensorSet.ofFloats(
                                other.spec().layout(),
                                other.initialParameters(1),
                                other.spec().metadata()))
                        .array());

        requireRefused(
                run(file, "--data", folder.toString()), "takes images of [3, 32, 32], the dataset has [1, 28, 28]");
    }

    @Test
    void shouldRefuseAFileThatIsNoModel() throws IOException {
        requireRefused(
                run(Files.writeString(folder.resolve("text"), "hello, this is no model")),
                "text is not a safetensors file: ");
        requireRefused(run(folder.resolve("none")), "none");
    }

    /** The header promises more than the file has; or more than any memory has. */
    @Test
    void shouldRefuseALyingFile() throws IOException {
        byte[] whole = Files.readAllBytes(model(Map.of(), 1));
        requireRefused(
                run(Files.write(folder.resolve("cut"), Arrays.copyOf(whole, whole.length - 4))),
                "cut is not a safetensors file: ");
        ByteBuffer.wrap(whole).order(ByteOrder.LITTLE_ENDIAN).putLong(0, Long.MAX_VALUE - 8);
        requireRefused(run(Files.write(folder.resolve("long"), whole)), "long is not a safetensors file: ");
    }

    @Test
    void shouldRefuseAModelOfNoNetworkOrOfAnother() throws IOException {
        requireRefused(
                run(model(Map.of(MetadataKeys.NETWORK, "lenet6?classes=10"), 1)), "there is no network 'lenet6'");
        requireRefused(
                run(model(
                        Map.of(
                                MetadataKeys.NETWORK,
                                Networks.usual("mlp").spec().name()),
                        1)),
                "tensor 'fc1.bias' has shape [120]");
    }

    @Test
    void shouldRefuseANetworkThatHasDiverged() throws IOException {
        requireRefused(run(model(Map.of(), Float.MAX_VALUE)), "it has diverged, and nothing can be compared");
    }

    /** Whatever is wrong in the nodes of an export: here they have the parameters of another version. */
    @Test
    void shouldLeaveNoFileIfTheAnswersDiffer() throws IOException {
        VerifiedExport one = VerifiedExport.of(parameters(Map.of(), 1));
        VerifiedExport mixed = new VerifiedExport(one.network(), parameters(Map.of(), 1.01f), one.export());
        Path file = folder.resolve("m.onnx");

        assertThatThrownBy(() -> mixed.write(file, one.random()))
                .isInstanceOf(DifferentAnswersException.class)
                .hasMessageMatching(
                        "onnxruntime and libtorch differ by .* on 100 samples, the largest output being .*: that is .* of it, and 1.0E-4 is the most; no file was written");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    @Tag("whole")
    void shouldLeaveNothingOnAFullDisk() throws Exception {
        Path model = model(Map.of(), 1);
        try (SmallDisk disk = SmallDisk.mount(folder.resolve("disk"), "64k")) {
            assertThat(command(
                            "--model",
                            model.toString(),
                            "--out",
                            disk.folder().resolve("m.onnx").toString()))
                    .isEqualTo(3);

            assertThat(err.toString()).startsWith("fleetgrad: ").contains("No space left");
            assertThat(err.toString())
                    .contains("m.onnx cannot be written: No space left on device; it takes 248,")
                    .contains(" bytes are free in ");
            assertThat(disk.folder()).isEmptyDirectory();
        }
    }

    private void requireRefused(int code, String message) {
        assertThat(code).as(err.toString()).isEqualTo(3);
        assertThat(err.toString()).startsWith("fleetgrad: ").contains(message);
        assertThat(err.toString().lines()).hasSize(1);
        assertThat(folder.resolve("m.onnx")).doesNotExist();
        err.getBuffer().setLength(0);
    }

    private Path model(Map<String, String> metadata, float factor) throws IOException {
        return Files.write(
                folder.resolve("model.safetensors"),
                Safetensors.encode(parameters(metadata, factor)).array());
    }

    private static TensorSet parameters(Map<String, String> stated, float factor) {
        Map<String, String> metadata = new TreeMap<>(LENET.spec().metadata());
        metadata.putAll(stated);
        float[] values = LENET.initialParameters(1);
        for (int i = 0; i < values.length; i++) {
            values[i] *= factor;
        }
        return TensorSet.ofFloats(LENET.spec().layout(), values, metadata);
    }

    private int run(Path model, String... arguments) {
        String[] all = {
            "--model", model.toString(), "--out", folder.resolve("m.onnx").toString()
        };
        String[] joined = Arrays.copyOf(all, all.length + arguments.length);
        System.arraycopy(arguments, 0, joined, all.length, arguments.length);
        return command(joined);
    }

    private int command(String... arguments) {
        CommandLine command = Evaluate.commandLine(new ExportCommand());
        command.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        return command.execute(arguments);
    }
}
