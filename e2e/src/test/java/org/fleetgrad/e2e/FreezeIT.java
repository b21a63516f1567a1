package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The head of a trained model learns anew, and its body stands still. */
@Order(3)
@Timeout(900)
@Tag("whole")
class FreezeIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(4);
    private static final String BODY = "conv*,fc1.*,fc2.*";

    /** The bytes of LeNet-5's last layer: ten outputs of 84 values and a bias each. */
    private static final long HEAD_BYTES = 4 * 850;

    private static final int SAMPLES = 6000;

    /** At most the bytes of both messages beside their tensors: headers of safetensors, with metadata. */
    private static final long MESSAGE_BYTES = 4_000;

    /** At most the bytes of a pull of all 61,706 values. */
    private static final long COMPLETE_BYTES = 4 * 61_706 + 4_000;

    @TempDir
    private Path folder;

    @Test
    void shouldReachTheTargetWithTheBitsOfTheFileInEveryFrozenTensor() throws Exception {
        train("body", "--train-samples", "6000", "--test-samples", "1000", "--target-accuracy", "0.9");
        // Under look-ahead the model is the look-ahead point, and the checkpoint has the parameters themselves.
        JsonNode result = tune("tuned", "--target-accuracy", "0.9", "--staleness", "none");

        assertThat(result.path("accuracy").asDouble()).isGreaterThanOrEqualTo(0.9);
        TensorSet body = model("body");
        TensorSet tuned = model("tuned");
        for (TensorSpec tensor : body.layout().specs()) {
            assertThat(tuned.bytes(tensor.name()).equals(body.bytes(tensor.name())))
                    .as(tensor.name())
                    .isEqualTo(!tensor.name().startsWith("fc3."));
        }
        assertThat(report(result).path("settings").path("freeze").asString()).isEqualTo(BODY);
        JsonNode time = report(result).path("workerTime");
        assertThat(time.path("compute").asDouble()).isPositive();
        assertThat(time.path("exchange").asDouble()).isPositive();
        assertThat(time.path("data").asDouble()).isPositive();
        assertThat(time.path("untold").asDouble()).isZero();
        long shardBytes = RunFiles.shardBytes(folder.resolve("tuned"));
        assertThat(shardBytes).isPositive();
        long all = 0;
        for (JsonNode activation : report(result).path("activations")) {
            long pushes = activation.path("pushes").asLong();
            // A push and the pull in its answer are of the head alone. An activation begins with a complete pull, maybe
            // two
            // if the server has changed its generation; it loads each shard once an epoch.
            long shards = shardBytes * (1 + activation.path("samples").asLong() / SAMPLES);
            assertThat(activation.path("bytes").asLong())
                    .as(activation.toString())
                    .isLessThanOrEqualTo(pushes * (2 * HEAD_BYTES + MESSAGE_BYTES) + 2 * COMPLETE_BYTES + shards);
            all += pushes;
        }
        assertThat(all).isPositive();
        assertRefused("--freeze: 'layer1.*' matches none of the 10 tensors: conv1.bias,", "--freeze", "layer1.*");
        assertRefused("matches all 10 parameters: nothing is left to train", "--freeze", "*");
        assertGoesOnWithFewerTensorsOnly();
    }

    /** Momentum has something of {@code fc3} only. */
    private void assertGoesOnWithFewerTensorsOnly() throws Exception {
        try (FleetgradProcess thawed =
                start("thawed", "--resume", "tuned", "--staleness", "none", "--freeze", "conv*,fc1.*")) {
            assertThat(thawed.await(TIMEOUT)).isNotZero();
            assertThat(thawed.stderr())
                    .contains(
                            "has no optimizer state of 2 tensors that were frozen and are to be trained (fc2.bias, fc2.weight)");
        }
        try (FleetgradProcess fewer = start(
                "fewer",
                "--resume",
                "tuned",
                "--staleness",
                "none",
                "--freeze",
                BODY + ",fc3.bias",
                "--epochs",
                "1",
                "--target-accuracy",
                "1")) {
            assertThat(fewer.await(TIMEOUT)).as(fewer.stderr()).isZero();
        }
        assertThat(model("fewer").bytes("fc3.bias")).isEqualTo(model("tuned").bytes("fc3.bias"));
        assertThat(model("fewer").bytes("fc3.weight"))
                .isNotEqualTo(model("tuned").bytes("fc3.weight"));
    }

    @Test
    void shouldComeToTheSameBitsWhenTheServerIsKilled() throws Exception {
        train("body", "--train-samples", "2000", "--test-samples", "500", "--epochs", "1");
        String[] alone = {"--workers", "1", "--mode", "sync", "--durability", "journal", "--target-accuracy", "1"};
        tune("calm", alone);
        List<String> arguments = new ArrayList<>(tuning());
        arguments.addAll(List.of(alone));
        try (FleetgradProcess killed = start("killed", arguments.toArray(String[]::new))) {
            await().atMost(TIMEOUT).until(() -> bytesOfJournal("killed") > 100 * HEAD_BYTES);
            killed.programs().stream()
                    .filter(program -> program.info().commandLine().orElse("").contains("ps-service.jar"))
                    .forEach(ProcessHandle::destroyForcibly);
            assertThat(killed.await(TIMEOUT)).as(killed.stderr()).isZero();
            assertThat(killed.stderr()).contains("ended with code 137 and is restarted from its stored state");
        }

        assertThat(model("killed").data()).isEqualTo(model("calm").data());
    }

    private JsonNode tune(String out, String... more) throws Exception {
        List<String> arguments = new ArrayList<>(tuning());
        arguments.addAll(List.of(more));
        return train(out, arguments.toArray(String[]::new));
    }

    private static List<String> tuning() {
        return List.of(
                "--from",
                "body/model.safetensors",
                "--new-head",
                "--freeze",
                BODY,
                "--train-samples",
                Integer.toString(SAMPLES),
                "--test-samples",
                "1000",
                "--epochs",
                "4");
    }

    private JsonNode train(String out, String... more) throws Exception {
        try (FleetgradProcess train = start(out, more)) {
            assertThat(train.await(TIMEOUT)).as(train.stderr()).isZero();
            return train.lastLineAsJson();
        }
    }

    private FleetgradProcess start(String out, String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("train", "--json", "--out", out));
        arguments.addAll(List.of(more));
        return FleetgradProcess.start(folder, arguments.toArray(String[]::new));
    }

    private void assertRefused(String message, String... more) throws Exception {
        try (FleetgradProcess refused = start("refused", more)) {
            assertThat(refused.await(TIMEOUT)).isEqualTo(3);
            assertThat(refused.stderr()).contains(message);
        }
    }

    private static JsonNode report(JsonNode result) throws IOException {
        return JsonMapper.builder()
                .build()
                .readTree(Files.readString(Path.of(result.path("reportPath").asString())));
    }

    private TensorSet model(String run) throws Exception {
        Path file = folder.resolve(run).resolve("model.safetensors");
        return Safetensors.decode(ByteBuffer.wrap(Files.readAllBytes(file)));
    }

    private long bytesOfJournal(String run) throws IOException {
        return RunFiles.bytes(
                folder.resolve(run).resolve("checkpoints"),
                file -> file.toString().contains("journal"));
    }
}
