package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.MetadataKeys;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.tensor.ParameterState;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.testing.Python;
import org.fleetgrad.testing.RepositoryRoot;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A network with state, trained by all programs: beside PyTorch, and with several servers beside one. */
@Order(2)
@Tag("whole")
class NetworkArithmeticIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(4);
    private static final String NETWORK = "resnet20";
    private static final String FREEZE = "conv1.*,bn1.*,layer1.*,layer2.*";
    private static final int SAMPLES = 8;
    private static final int STEPS = 20;

    @TempDir
    private Path folder;

    @Test
    void shouldHavePyTorchsLossAfterTwentySteps() throws Exception {
        Python.require();
        Path initial = initial();
        Path ours = trained("run", data(), "--from", initial.toString());

        requirePyTorchs(initial, ours, "");
    }

    /** Frozen normalizations evaluate, those behind them train. */
    @Test
    void shouldHavePyTorchsLossWithAFrozenBody() throws Exception {
        Python.require();
        Path initial = initial();
        Path ours = trained("run", data(), "--from", initial.toString(), "--freeze", FREEZE);

        requirePyTorchs(initial, ours, FREEZE);
        TensorSet before = read(initial);
        TensorSet after = read(ours);
        for (TensorSpec tensor : before.layout().specs()) {
            boolean isFrozen = tensor.name().matches("(conv1|bn1|layer[12])\\..*");
            assertThat(after.bytes(tensor.name()).equals(before.bytes(tensor.name())))
                    .as(tensor.name())
                    .isEqualTo(isFrozen);
        }
    }

    private Path data() throws Exception {
        return TinyColours.write(folder.resolve("data"), SAMPLES, 10);
    }

    private void requirePyTorchs(Path initial, Path ours, String frozen) throws Exception {
        String printed = Python.run(
                Files.readString(RepositoryRoot.path().resolve("e2e/src/test/python/twenty_steps.py")),
                NETWORK,
                initial.toString(),
                ours.toString(),
                folder.resolve("data/tiny-train.bin").toString(),
                "3x32x32",
                RepositoryRoot.path().resolve("lib/libtorch/src/test/python").toString(),
                frozen);

        JsonNode losses = JsonMapper.builder().build().readTree(printed.strip());
        assertThat(losses.path("torch").asDouble())
                .as("twenty steps on one batch must have taught it something")
                .isLessThan(losses.path("before").asDouble() / 2);
        for (String figure : List.of("loss", "statistics")) {
            assertThat(losses.path("distances").path(figure).asDouble())
                    .as("%s: %s", figure, losses)
                    .isLessThan(losses.path("tolerances").path(figure).asDouble());
        }
    }

    @Test
    void shouldComeToTheSameBitsWithThreePartitionsAsWithOneServer() throws Exception {
        Path data = data();
        TensorSet one = read(trained("one", data, "--network", NETWORK));
        TensorSet three = read(trained("three", data, "--network", NETWORK, "--servers", "3"));

        assertThat(three.layout()).isEqualTo(one.layout());
        assertThat(three.data()).isEqualTo(one.data());
        assertThat(ParameterState.in(three.metadata())).isEqualTo(ParameterState.in(one.metadata()));
    }

    /** Only the head is trained, and one of three servers has it. */
    @Test
    void shouldComeToTheSameBitsWithPartitionsThatAreFrozen() throws Exception {
        Path data = data();
        String body = "conv1.*,bn1.*,layer*";
        TensorSet one = read(trained("one", data, "--network", NETWORK, "--freeze", body));
        TensorSet three = read(trained("three", data, "--network", NETWORK, "--freeze", body, "--servers", "3"));

        assertThat(three.layout()).isEqualTo(one.layout());
        assertThat(three.data()).isEqualTo(one.data());
    }

    private static TensorSet read(Path file) throws Exception {
        return Safetensors.decode(ByteBuffer.wrap(Files.readAllBytes(file)));
    }

    private Path initial() throws Exception {
        NetworkDefinition definition = Networks.named(NETWORK, TinyColours.SHAPE, TinyColours.CLASSES);
        NetworkSpec spec = definition.spec();
        TensorSet set = TensorSet.ofFloats(
                spec.layout(),
                definition.initialParameters(7),
                Map.of(
                        MetadataKeys.NETWORK,
                        spec.name(),
                        ParameterState.KEY,
                        spec.state().text()));
        Path file = folder.resolve("initial.safetensors");
        ByteBuffer encoded = Safetensors.encode(set);
        byte[] bytes = new byte[encoded.remaining()];
        encoded.get(bytes);
        return Files.write(file, bytes);
    }

    /** Trains with one worker, whose every batch is the whole dataset, so that the order of the samples does not matter. */
    private Path trained(String out, Path data, String... more) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("train", "--json", "--out", out, "--data", data.toString()));
        arguments.addAll(List.of("--workers", "1", "--batch-size", Integer.toString(SAMPLES)));
        arguments.addAll(List.of("--epochs", Integer.toString(STEPS), "--target-accuracy", "1"));
        arguments.addAll(List.of("--learning-rate", "0.01", "--momentum", "0.9", "--weight-decay", "0.0005"));
        arguments.addAll(List.of(more));
        try (FleetgradProcess train = FleetgradProcess.start(folder, arguments.toArray(String[]::new))) {
            assertThat(train.await(TIMEOUT)).as(train.stderr()).isZero();
            JsonNode result = train.lastLineAsJson();
            assertThat(result.path("version").asLong()).isEqualTo(STEPS);
            return Path.of(result.path("modelPath").asString());
        }
    }
}
