package org.fleetgrad.evaluator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.datasets.shard.ShardSet;
import org.fleetgrad.datasets.synth.SyntheticDigits;
import org.fleetgrad.libtorch.Device;
import org.fleetgrad.libtorch.Libtorch;
import org.fleetgrad.libtorch.Network;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.MetadataKeys;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The command with a real network, checked against the network's own logits. */
@Tag("kernels")
class EvaluateCommandTest {

    private static final NetworkDefinition LENET = Networks.usual("lenet5");
    private static final ImageSamples TRAIN = SyntheticDigits.generate(60, 1);
    private static final ImageSamples TEST = SyntheticDigits.generate(50, 2);

    @TempDir
    private static Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeAll
    static void write() throws IOException {
        ShardSet.write(folder.resolve("shards"), "generated-digits", TRAIN, TEST, 2);
        Files.createDirectory(folder.resolve("models"));
        for (long version : new long[] {1, 2, 3}) {
            Files.write(file(version), Safetensors.encode(parameters(version)).array());
        }
    }

    private static Path file(long version) {
        return folder.resolve("models").resolve("model-%d.safetensors".formatted(version));
    }

    private static TensorSet parameters(long version) {
        Map<String, String> metadata = new TreeMap<>(Map.of(
                MetadataKeys.NETWORK, LENET.spec().name(),
                ParameterVersion.GENERATION_KEY, "g",
                ParameterVersion.VERSION_KEY, Long.toString(version)));
        return TensorSet.ofFloats(LENET.spec().layout(), LENET.initialParameters(version), metadata);
    }

    private int run(String... arguments) {
        CommandLine command = Evaluate.commandLine();
        command.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        return command.execute(arguments);
    }

    private JsonNode json() {
        List<String> lines = out.toString().lines().toList();
        return JsonMapper.builder().build().readTree(lines.get(lines.size() - 1));
    }

    /** Returns the accuracy. */
    private static double accuracy(long version) {
        Normalization normalization = Normalization.of(TRAIN);
        float[] images = new float[TEST.count() * TEST.imageBytes()];
        for (int i = 0; i < TEST.count(); i++) {
            normalization.normalize(TEST, i, images, i * TEST.imageBytes());
        }
        try (Network network = Libtorch.open(LENET, Device.CPU)) {
            network.load(parameters(version));
            float[] logits = network.logits(images, TEST.count());
            int right = 0;
            for (int i = 0; i < TEST.count(); i++) {
                int largest = 0;
                for (int c = 1; c < 10; c++) {
                    largest = logits[i * 10 + c] > logits[i * 10 + largest] ? c : largest;
                }
                right += largest == TEST.label(i) ? 1 : 0;
            }
            return (double) right / TEST.count();
        }
    }

    @Test
    void shouldEvaluateEachVersionOnTheHeldOutSamplesAndNameTheBest() throws IOException {
        Path csv = folder.resolve("out.csv");

        int code = run(
                "--checkpoints",
                folder.resolve("models").toString(),
                "--data",
                folder.toString(),
                "--eval-batch-size",
                "7",
                "--csv",
                csv.toString(),
                "--json");

        assertThat(code).as(err.toString()).isZero();
        JsonNode result = json();
        assertThat(result.path("evaluated").asInt()).isEqualTo(3);
        double best = 0;
        for (int i = 0; i < 3; i++) {
            JsonNode row = result.path("evaluations").path(i);
            assertThat(row.path("version").asLong()).isEqualTo(i + 1);
            assertThat(row.path("samples").asInt()).isEqualTo(TEST.count());
            assertThat(row.path("top1").asDouble()).isCloseTo(accuracy(i + 1), within(1e-12));
            assertThat(row.path("top5").asDouble())
                    .isGreaterThanOrEqualTo(row.path("top1").asDouble());
            // A network that has learned nothing is about as good as a guess among ten.
            assertThat(row.path("loss").asDouble()).isCloseTo(Math.log(10), within(0.3));
            best = Math.max(best, row.path("top1").asDouble());
        }
        assertThat(result.path("best").path("top1").asDouble()).isEqualTo(best);
        assertThat(out.toString())
                .contains("best: version %d "
                        .formatted(result.path("best").path("version").asLong()));
        assertThat(Files.readAllLines(csv)).hasSize(4);
        assertConfusion(result.path("best"));
        assertThat(out.toString()).contains("macro F1 0.", "; least often right: ");
    }

    private static void assertConfusion(JsonNode best) {
        JsonNode confusion = best.path("details").path("classes").path("confusion");
        int right = 0;
        for (int i = 0; i < 10; i++) {
            right += confusion.path(i).path(i).asInt();
        }
        assertThat((double) right / TEST.count()).isCloseTo(best.path("top1").asDouble(), within(1e-12));
    }

    @Test
    void shouldEndAfterSoManyEvaluations() {
        int code = run(
                "--checkpoints",
                folder.resolve("models").toString(),
                "--data",
                folder.resolve("shards").toString(),
                "--max-evaluations",
                "2",
                "--json");

        assertThat(code).isZero();
        assertThat(json().path("evaluated").asInt()).isEqualTo(2);
    }

    @Test
    void shouldRefuseTrainingSamples() throws IOException {
        Path learned = folder.resolve("shards").resolve("generated-digits-train-00000-of-00002.tar.gz");
        assertThat(learned).exists();

        assertThat(run("--checkpoints", file(1).toString(), "--data", learned.toString()))
                .isEqualTo(3);

        assertThat(err.toString()).startsWith("fleetgrad: " + learned + " is a training shard, says ");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void shouldSayWhichModelIsOfNoNetworkAndFailWithoutAnEvaluation() throws IOException {
        Path nameless = folder.resolve("nameless.safetensors");
        Files.write(
                nameless,
                Safetensors.encode(TensorSet.ofFloats(LENET.spec().layout(), LENET.initialParameters(1), Map.of()))
                        .array());

        assertThat(run("--checkpoints", nameless.toString(), "--data", folder.toString()))
                .isEqualTo(3);

        assertThat(err.toString())
                .startsWith("fleetgrad: nameless.safetensors is not evaluated: its metadata has no 'network'");
    }

    @Test
    void shouldRefuseWrongOptions() {
        assertThat(run("--data", "d")).isEqualTo(2);
        assertThat(run("--checkpoints", "a", "--server", "b:1", "--data", "d")).isEqualTo(2);
        assertThat(run("--checkpoints", "a", "--data", "d", "--eval-freq", "0")).isEqualTo(2);
        assertThat(run("--checkpoints", "a", "--data", "d", "--eval-batch-size", "0"))
                .isEqualTo(2);
        assertThat(err.toString())
                .contains("--eval-freq must be 1 or more; it is 0")
                .contains("--eval-batch-size must be 1 or more; it is 0");
    }
}
