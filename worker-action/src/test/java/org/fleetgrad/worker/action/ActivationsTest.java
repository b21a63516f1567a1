package org.fleetgrad.worker.action;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.DOUBLE;
import static org.assertj.core.api.InstanceOfAssertFactories.LONG;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.fake.FakeParameterServer;
import org.fleetgrad.client.fake.FakeWork;
import org.fleetgrad.client.fake.Push;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.sampling.BatchSampler;
import org.fleetgrad.datasets.shard.Shard;
import org.fleetgrad.datasets.shard.ShardArchive;
import org.fleetgrad.libtorch.Device;
import org.fleetgrad.libtorch.Libtorch;
import org.fleetgrad.libtorch.Network;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.testing.UtcClock;
import org.fleetgrad.worker.TestShards;
import org.fleetgrad.worker.action.ActionResult.ApplicationError;
import org.fleetgrad.worker.action.ActionResult.Success;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Complete activations, cold and warm, and their results. */
@Tag("kernels")
class ActivationsTest {

    private static final NetworkDefinition LENET5 = Networks.usual("lenet5");

    private final Activations activations = activations(() -> false, Map::of, Clock.systemUTC());

    private static Activations activations(
            BooleanSupplier stop, Supplier<Map<String, String>> environment, Clock clock) {
        return new Activations(stop, environment, clock, () -> ClientOptions.DEFAULT, Optional.empty());
    }

    @TempDir
    private Path folder;

    private FakeParameterServer server;

    @BeforeEach
    void open() throws IOException {
        server = new FakeParameterServer(0.05f);
    }

    @AfterEach
    void close() {
        activations.close();
        server.close();
    }

    private ObjectNode body(Shard shard) throws IOException {
        Path file = folder.resolve("shard-%d.tar.gz".formatted(shard.samples().count()));
        ShardArchive.write(shard, file);
        ObjectNode body = JsonMapper.shared().createObjectNode();
        body.putObject("value")
                .put("apihost", server.uri().toString())
                .put("dataset_url", file.toString())
                .put("batch_sz_train", 8)
                .put("epoch_n", 1)
                .put("update_intv", 1)
                .put("worker", "w1");
        return body;
    }

    private static ObjectNode value(ObjectNode body) {
        return (ObjectNode) body.get("value");
    }

    private void assertFails(ObjectNode body, int code, String message) {
        assertThat(activations.run(body)).isEqualTo(new ApplicationError(code, message));
    }

    @Test
    void shouldAnswerWhatItDid() throws IOException {
        ActionResult result = activations.run(body(TestShards.digits(20, 1)));

        assertThat(result).isInstanceOf(Success.class);
        Map<String, Object> answer = result.body();
        assertThat(answer.keySet())
                .startsWith(
                        "code",
                        "avg_loss",
                        "completed",
                        "epochs",
                        "work",
                        "samples",
                        "counted",
                        "steps",
                        "pushes",
                        "stale",
                        "duplicates",
                        "bytes",
                        "encoding",
                        "pull_encoding",
                        "overlap",
                        "version",
                        "worker",
                        "warm",
                        "seconds");
        assertThat(answer)
                .containsEntry("code", 200)
                .containsEntry("completed", true)
                .containsEntry("epochs", 1)
                .containsEntry("samples", 20L)
                .containsEntry("steps", 3L)
                .containsEntry("pushes", 3L)
                .containsEntry("stale", 0L)
                .containsEntry("version", 3L)
                .containsEntry("worker", "w1")
                .containsEntry("warm", false);
        assertThat(answer.get("avg_loss")).asInstanceOf(DOUBLE).isBetween(2.0, 2.6);
        assertThat(answer.get("bytes"))
                .asInstanceOf(LONG)
                .isGreaterThan(7 * LENET5.spec().layout().byteLength());
        assertThat(answer.get("seconds")).asInstanceOf(DOUBLE).isPositive();
        double parts = 0;
        for (String part : List.of("compute_seconds", "exchange_seconds", "data_seconds")) {
            double seconds = (double) Objects.requireNonNull(answer.get(part));
            assertThat(seconds).as(part).isPositive();
            parts += seconds;
        }
        assertThat(answer.get("seconds")).asInstanceOf(DOUBLE).isGreaterThanOrEqualTo(parts);
        assertThat(server.workers()).isEmpty();
    }

    /** The original reused the first shard in a warm container. */
    @Test
    void shouldTrainAWarmContainerOnTheShardItIsGivenNow() throws IOException {
        Shard threes = TestShards.digitsOf(3, 16);
        Shard sevens = TestShards.digitsOf(7, 24);
        activations.run(body(threes));
        TensorSet between = server.parameters();

        Map<String, Object> answer = activations.run(body(sevens)).body();

        assertThat(answer).containsEntry("warm", true).containsEntry("samples", 24L);
        List<Push> pushes = server.pushes();
        assertThat(pushes).hasSize(5);
        assertPushesRaise(pushes.get(0), 3);
        assertPushesRaise(pushes.get(2), 7);
        assertThat(pushes.get(2).gradient(LENET5.spec().layout())).isEqualTo(firstGradient(sevens, between));
    }

    /** A step against the gradient raises the bias of the only class, and lowers all others. */
    private static void assertPushesRaise(Push push, int label) {
        float[] bias = new float[10];
        push.tensors().bytes("fc3.bias").orElseThrow().asFloatBuffer().get(bias);
        for (int i = 0; i < 10; i++) {
            assertThat(Math.signum(bias[i])).as("class %d", i).isEqualTo(i == label ? -1 : 1);
        }
    }

    private static float[] firstGradient(Shard shard, TensorSet parameters) {
        int[] batch = new BatchSampler(shard.samples().count(), 8, 0).epoch(0).batch(0);
        float[] images = new float[8 * 784];
        shard.description().images().normalization().normalize(shard.images(), batch, images);
        float[] labels = new float[8];
        Arrays.fill(labels, shard.images().label(0));
        float[] gradient = new float[(int) LENET5.spec().layout().elementCount()];
        try (Network network = Libtorch.open(Networks.usual("lenet5"), Device.CPU)) {
            network.load(parameters);
            network.accumulate(images, labels, 8);
            network.drainGradient(gradient, 1);
        }
        return gradient;
    }

    @Test
    void shouldWorkAfterAnActivationThatDiverged() throws IOException {
        ObjectNode body = body(TestShards.digits(20, 1));
        float[] values = LENET5.initialParameters(0);
        server.start(0, TensorSet.ofFloats(LENET5.spec().layout(), values, Map.of()));
        activations.run(body);
        float[] expected = server.pushes().get(0).gradient(LENET5.spec().layout());
        float[] broken = values.clone();
        broken[0] = Float.NaN;
        server.start(0, TensorSet.ofFloats(LENET5.spec().layout(), broken, Map.of()));
        assertFails(body, 422, "the loss of batch 1 is NaN: training has diverged; try a smaller learning rate");

        server.start(0, TensorSet.ofFloats(LENET5.spec().layout(), values, Map.of()));
        Map<String, Object> answer = activations.run(body).body();

        assertThat(answer).containsEntry("warm", true).containsEntry("pushes", 3L);
        assertThat(server.pushes().get(3).gradient(LENET5.spec().layout())).isEqualTo(expected);
    }

    @Test
    void shouldSayThatParametersAreWrong() throws IOException {
        ObjectNode body = body(TestShards.digits(8, 1));
        value(body).put("epoch_n", 0);
        assertFails(body, 400, "epoch_n must be a whole number from 1 to 1000000; it is 0");

        value(body).put("epoch_n", 1).put("network", "lenet6");
        assertFails(body, 400, "there is no network 'lenet6'; the networks are " + String.join(", ", Networks.names()));

        value(body).put("network", "lenet5").put("device", "tpu");
        assertFails(body, 400, "device must be cpu, gpu or cuda:0 (any number); it is 'tpu'");

        value(body).put("device", "cpu");
        assertThat(activations.run(body)).isInstanceOf(Success.class);
    }

    @Test
    void shouldSayThatThereIsNoShard() throws IOException {
        ObjectNode body = body(TestShards.digits(8, 1));
        value(body).put("dataset_url", "/absent/shard.tar.gz");

        assertFails(body, 404, "/absent/shard.tar.gz could not be read: NoSuchFileException /absent/shard.tar.gz");
        assertThat(server.calls()).isEmpty();
    }

    @Test
    void shouldTellADamagedShardFromAnAbsentOne() throws IOException {
        ObjectNode body = body(TestShards.digits(8, 1));
        Path damaged = Files.writeString(folder.resolve("damaged.tar.gz"), "no shard");
        value(body).put("dataset_url", damaged.toString());

        assertThat(activations.run(body)).isInstanceOfSatisfying(ApplicationError.class, error -> {
            assertThat(error.code()).isEqualTo(422);
            assertThat(error.message()).startsWith(damaged + " is not a shard: ");
        });
    }

    @Test
    void shouldSayThatThereIsNoWorkAndLeave() throws IOException {
        ObjectNode body = body(TestShards.digits(8, 1));
        value(body).put("shards", "queue").remove("dataset_url");
        server.with(new FakeWork(1).putAfter(1));

        assertFails(body, 409, "POST /nextShard: 409 the run has no work");
        assertThat(server.workers()).isEmpty();
    }

    @Test
    void shouldWaitForWorkThatIsPutALittleLater() throws IOException {
        ObjectNode body = body(TestShards.digits(8, 1));
        String shard = value(body).path("dataset_url").stringValue();
        value(body).put("shards", "queue").put("work_wait", 600).remove("dataset_url");
        server.with(new FakeWork(1).with(Path.of(shard), 8).putAfter(2));

        assertThat(activations.run(body).body())
                .containsEntry("code", 200)
                .containsEntry("work", "done")
                .containsEntry("samples", 8L);
        assertThat(server.workers()).isEmpty();
    }

    @Test
    void shouldNotWaitForWorkLongerThanItHasTime() throws IOException {
        ObjectNode body = body(TestShards.digits(8, 1));
        value(body).put("shards", "queue").put("work_wait", 600).remove("dataset_url");
        body.put("deadline", "12000");
        server.with(new FakeWork(1).putAfter(Integer.MAX_VALUE));

        try (Activations waiting = activations(() -> false, Map::of, new ClockOfQuestions())) {
            assertThat(waiting.run(body))
                    .isEqualTo(new ApplicationError(409, "POST /nextShard: 409 the run has no work"));
        }
        assertThat(questions()).as("a fetch, a step and a push need 4 s").isEqualTo(3);
    }

    private long questions() {
        return server.calls().stream().filter("POST /nextShard"::equals).count();
    }

    /** Four seconds pass with each request for work, however long it takes. */
    private final class ClockOfQuestions extends UtcClock {

        @Override
        public Instant instant() {
            return Instant.ofEpochSecond(4 * questions());
        }
    }

    @Test
    void shouldSayThatTheShardDoesNotFit() throws IOException {
        Shard colour = TestShards.of(new ImageSamples(3, 32, 32, new byte[3 * 1024], new byte[1]), 10);

        ObjectNode body = body(colour);
        value(body).put("network", "lenet5?input=1x28x28");
        assertFails(
                body,
                422,
                "the network does not fit the dataset digits: the network 'lenet5?input=1x28x28' takes images of [1, 28, 28], the dataset has [3, 32, 32]");
    }

    @Test
    void shouldShowTheKeysOfTheRunOrElseOfTheEnvironment() throws IOException {
        Map<String, String> environment =
                Map.of("FLEETGRAD_ACCESS_KEY", "fleet", "FLEETGRAD_SECRET_KEY", "of-the-fleet");
        ObjectNode body = body(TestShards.digits(8, 1));
        try (Activations keyed = activations(() -> false, () -> environment, Clock.systemUTC())) {
            keyed.run(body);
            value(body).put("access_key", "own").put("secret_key", "of-the-run");
            keyed.run(body);
        }

        assertThat(server.registrations())
                .extracting(sent -> sent.path("accessKey").asString() + " "
                        + sent.path("secretKey").asString())
                .containsExactly("fleet of-the-fleet", "own of-the-run");
    }

    @Test
    void shouldTellTheServerWhichActivationItIs() throws IOException {
        try (Activations named =
                activations(() -> false, () -> Map.of("__OW_ACTIVATION_ID", "77c8"), Clock.systemUTC())) {
            named.run(body(TestShards.digits(8, 1)));
        }
        activations.run(body(TestShards.digits(8, 1)));

        assertThat(server.registrations())
                .extracting(sent -> sent.path("description").asString())
                .containsExactly("worker-action, batches of 8, activation 77c8", "worker-action, batches of 8");
    }

    @Test
    void shouldSayThatThereIsNoSuchGpuAndGoOnWithTheProcessor() throws IOException {
        ObjectNode body = body(TestShards.digits(8, 1));
        value(body).put("device", "cuda:999");

        assertThat(activations.run(body))
                .isInstanceOfSatisfying(
                        ApplicationError.class,
                        error -> assertThat(error.message()).startsWith("device cuda:999 does not exist: "));

        value(body).put("device", "cpu");
        assertThat(activations.run(body)).isInstanceOf(Success.class);
    }

    @Test
    void shouldSayInOneLineThatItsKeysAreWrong() throws IOException {
        server.refuseSecret("wrong-secret");
        ObjectNode body = body(TestShards.digits(8, 1));
        value(body).put("access_key", "own").put("secret_key", "wrong-secret");

        assertFails(body, 401, "POST /registerWorker: 401 the keys are those of no role");
        assertThat(server.calls()).hasSize(1);
    }

    @Test
    void shouldSayWhatIsMissingOfItsKeys() throws IOException {
        ObjectNode body = body(TestShards.digits(8, 1));
        value(body).put("access_key", "own");
        assertFails(body, 400, "access_key is set and secret_key is not; write secret_key too");

        value(body).put("secret_key", 12345678);
        assertFails(body, 400, "secret_key must be a text; put it in quotes");

        try (Activations untrusting =
                activations(() -> false, () -> Map.of("FLEETGRAD_TRUST", "/no/such/file"), Clock.systemUTC())) {
            assertThat(untrusting.run(body(TestShards.digits(8, 1))))
                    .isEqualTo(
                            new ApplicationError(
                                    400,
                                    "the certificate to trust cannot be read: java.nio.file.NoSuchFileException: /no/such/file"));
        }
    }

    @Test
    void shouldAnswerHalfAnActivationThatIsStopped() throws IOException {
        int[] asked = {0};
        try (Activations stopped = activations(() -> asked[0]++ >= 2, Map::of, Clock.systemUTC())) {
            Map<String, Object> answer =
                    stopped.run(body(TestShards.digits(40, 1))).body();

            assertThat(answer)
                    .containsEntry("code", 200)
                    .containsEntry("completed", false)
                    .containsEntry("samples", 16L)
                    .containsEntry("pushes", 2L);
        }
    }
}
