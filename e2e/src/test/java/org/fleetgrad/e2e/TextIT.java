package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.MetadataKeys;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.testing.Python;
import org.fleetgrad.testing.RepositoryRoot;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A text is trained through the real programs: the same arithmetic as PyTorch's, and as one server's with several. */
@Tag("whole")
class TextIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(4);
    private static final int STEPS = 20;
    private static final int SEED = 5;
    private static final int GPT2_VOCABULARY = 50_257;
    private static final String NETWORK = Letters.network(2, 32);

    @TempDir
    private Path folder;

    private Path data;

    @BeforeEach
    void writeText() throws Exception {
        data = Letters.write(folder);
    }

    @Test
    void shouldHavePyTorchsLossAfterTwentySteps() throws Exception {
        Python.requireTransformers();
        Path initial = initial();
        JsonNode result = trained("run", "--from", initial.toString());

        String printed = Python.runWithTransformers(
                Files.readString(RepositoryRoot.path().resolve("e2e/src/test/python/twenty_steps_of_text.py")),
                initial.toString(),
                result.path("modelPath").asString(),
                folder.resolve("run/shards/letters-train-00000-of-00001.tar.gz").toString(),
                Integer.toString(SEED),
                Integer.toString(STEPS),
                NETWORK);

        JsonNode losses =
                JsonMapper.builder().build().readTree(printed.strip().lines().reduce("", (a, b) -> b));
        assertThat(losses.path("torch").asDouble())
                .as("twenty steps must have taught it something")
                .isLessThan(losses.path("before").asDouble() - 0.2);
        assertThat(losses.path("ours").asDouble())
                .as("%s", losses)
                .isCloseTo(losses.path("torch").asDouble(), within(1e-3));
    }

    @Test
    void shouldComeToTheSameBitsWithThreePartitionsAsWithOneServer() throws Exception {
        JsonNode one = trained("one", "--network", NETWORK);
        JsonNode three = trained("three", "--network", NETWORK, "--servers", "3");

        assertThat(read(three).data()).isEqualTo(read(one).data());
        assertThat(read(one).metadata()).containsEntry(MetadataKeys.TOKENIZER, "characters:" + Letters.ALPHABET);
        assertThat(one.path("perplexity").asDouble())
                .isCloseTo(Math.exp(one.path("heldOutLoss").asDouble()), within(1e-9));
        assertThat(one.path("tokensPerSecond").asDouble())
                .isCloseTo(16 * one.path("samplesPerSecond").asDouble(), within(1e-6));
        assertThat(one.has("reachedTarget")).isFalse();
    }

    /** With three servers, both matrices of the vocabulary are cut. */
    @Test
    void shouldComeToTheSameBitsWithRowsAsWithAllValues() throws Exception {
        int width = 32;
        String untied = "gpt2?context=16&dropout=0&heads=2&layers=1&tied=no&width=" + width;
        String[] arguments = {"--network", untied, "--tokenizer", "gpt2"};
        JsonNode all = trained("all", arguments);
        JsonNode rows = trained(
                "rows",
                Stream.concat(Arrays.stream(arguments), Stream.of("--encoding", "rows", "--servers", "3"))
                        .toArray(String[]::new));

        assertThat(read(rows).data()).isEqualTo(read(all).data());
        // Of the embedding, only the tokens of a batch travel: a number and a row for each of at most 8 · 16.
        double embedding = 4.0 * GPT2_VOCABULARY * width;
        assertThat((bytesOf(all) - bytesOf(rows)) / STEPS).isBetween(embedding - 8 * 16 * 4 * (1 + width), embedding);
    }

    @Test
    void shouldEndAtAHeldOutLoss() throws Exception {
        JsonNode result = run("run", "--network", NETWORK, "--target-loss", "3.2", "--epochs", "2000");

        assertThat(result.path("reachedTarget").asBoolean()).isTrue();
        assertThat(result.path("heldOutLoss").asDouble()).isLessThanOrEqualTo(3.2);
        assertThat(result.path("targetLoss").asDouble()).isEqualTo(3.2);
    }

    private static double bytesOf(JsonNode result) throws Exception {
        JsonNode report = JsonMapper.builder()
                .build()
                .readTree(Files.readString(Path.of(result.path("reportPath").asString())));
        double bytes = 0;
        for (JsonNode activation : report.path("activations")) {
            bytes += activation.path("bytes").asDouble();
        }
        return bytes;
    }

    private static TensorSet read(JsonNode result) throws Exception {
        return Safetensors.decode(ByteBuffer.wrap(
                Files.readAllBytes(Path.of(result.path("modelPath").asString()))));
    }

    private Path initial() throws Exception {
        NetworkDefinition definition = Networks.named(NETWORK);
        TensorSet set = TensorSet.ofFloats(
                definition.spec().layout(), definition.initialParameters(7), Map.of(MetadataKeys.NETWORK, NETWORK));
        ByteBuffer encoded = Safetensors.encode(set);
        byte[] bytes = new byte[encoded.remaining()];
        encoded.get(bytes);
        return Files.write(folder.resolve("initial.safetensors"), bytes);
    }

    /** Trains with one worker, whose every batch is the whole dataset: only where the windows begin differs. */
    private JsonNode trained(String out, String... more) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("--epochs", Integer.toString(STEPS)));
        arguments.addAll(List.of(more));
        JsonNode result = run(out, arguments.toArray(String[]::new));
        assertThat(result.path("version").asLong()).isEqualTo(STEPS);
        return result;
    }

    private JsonNode run(String out, String... more) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("train", "--json", "--out", out, "--data", data.toString()));
        arguments.addAll(List.of("--workers", "1", "--batch-size", "8", "--seed", Integer.toString(SEED)));
        arguments.addAll(List.of("--optimizer", "adamw:beta2=0.99", "--learning-rate", "0.003"));
        arguments.addAll(List.of("--weight-decay", "0.1", "--context", "16"));
        arguments.addAll(List.of(more));
        try (FleetgradProcess train = FleetgradProcess.start(folder, arguments.toArray(String[]::new))) {
            assertThat(train.await(TIMEOUT)).as(train.stderr()).isZero();
            return train.lastLineAsJson();
        }
    }
}
