package org.fleetgrad.worker.colocated;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.ParameterServers;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.client.fake.FakeParameterServer;
import org.fleetgrad.datasets.shard.ShardArchive;
import org.fleetgrad.datasets.shard.ShardLimits;
import org.fleetgrad.libtorch.Device;
import org.fleetgrad.libtorch.Libtorch;
import org.fleetgrad.libtorch.Network;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.serving.Images;
import org.fleetgrad.serving.PredictionResult.Scores;
import org.fleetgrad.worker.TestShards;
import org.fleetgrad.worker.data.ShardSource;
import org.fleetgrad.worker.training.PlainTraining;
import org.fleetgrad.worker.training.TimeBudget;
import org.fleetgrad.worker.training.TrainingTask;
import org.fleetgrad.worker.training.TrainingTask.Tools;
import org.fleetgrad.worker.training.WarmState;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One synchronous worker that trains and serves: its trained parameters and its answers. */
class ColocatedTrainingTest {

    private static final long EVERY_MS = 5;

    @TempDir
    private Path folder;

    private final Map<ParameterVersion, TensorSet> loaded = new ConcurrentHashMap<>();

    @BeforeEach
    void forget() {
        loaded.clear();
    }

    private static NetworkDefinition network(String name) {
        return Networks.named(name, List.of(1, 28, 28), 10);
    }

    /** Records each set that the training loads, with its version. */
    private Network remembering(Network trained) {
        return (Network) Proxy.newProxyInstance(
                Network.class.getClassLoader(), new Class<?>[] {Network.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("load")) {
                        TensorSet set = (TensorSet) arguments[0];
                        loaded.put(ParameterVersion.of(set.metadata()).orElseThrow(), set);
                    }
                    return method.invoke(trained, arguments);
                });
    }

    /**
     * Lets the first batch end only when a request was answered. All batches take some tens of milliseconds, in which a busy
     * machine may not run the requests' threads at all.
     */
    private static Network answering(Network serving, Requests requests) {
        return (Network) Proxy.newProxyInstance(
                Network.class.getClassLoader(), new Class<?>[] {Network.class}, (proxy, method, arguments) -> {
                    Object result = method.invoke(serving, arguments);
                    if (method.getName().equals("accumulate")) {
                        requests.awaitPrediction();
                    }
                    return result;
                });
    }

    /** Trains on a few digits, and returns the server's parameters. */
    private float[] train(String name, int samples, int epochs, UnaryOperator<Network> serving) throws Exception {
        Path shard = folder.resolve("shard.tar.gz");
        ShardArchive.write(TestShards.digits(samples, 1), shard);
        try (FakeParameterServer server = new FakeParameterServer(0.01f).trainSynchronously();
                Network network = serving.apply(Libtorch.open(network(name), Device.CPU))) {
            Tools tools = new Tools(
                    ParameterServers.of(List.of(new PsClient(server.uri(), ClientOptions.DEFAULT))),
                    definition -> network,
                    new ShardSource(ShardLimits.DEFAULT),
                    new TimeBudget(Clock.systemUTC()),
                    new WarmState(),
                    () -> false);
            new TrainingTask(
                            PlainTraining.learning(8, 1, 5),
                            Optional.of(name),
                            PlainTraining.WORKER,
                            PlainTraining.TRANSFER)
                    .runShard(tools, shard.toString(), epochs, 0);
            return server.parameters().toFloats(network.spec().layout());
        }
    }

    private Colocated open(String mode, int every) throws IOException {
        return Colocated.open(
                        Map.of(
                                ServeSettings.PORT,
                                "0",
                                ServeSettings.MODE,
                                mode,
                                ServeSettings.EVERY,
                                Integer.toString(every)),
                        System.err)
                .orElseThrow();
    }

    /**
     * LeNet-5 has neither dropout nor state; mnist-cnn drops; resnet20 observes its batches. The stream starts before
     * the first batch and ends after the last one, so that it covers every batch.
     */
    @ParameterizedTest
    @CsvSource({
        "lenet5, interleaved, 1, 160, 4",
        "lenet5, thread, 1, 160, 4",
        "lenet5, thread, 7, 160, 4",
        "lenet5, live, 1, 160, 4",
        "mnist-cnn, interleaved, 1, 80, 4",
        "mnist-cnn, thread, 1, 80, 4",
        "resnet20, interleaved, 1, 24, 1",
        "resnet20, thread, 1, 24, 1"
    })
    void shouldTrainTheSameBitsWithAndWithoutAnswering(String name, String mode, int every, int samples, int epochs)
            throws Exception {
        float[] alone = train(name, samples, epochs, trained -> trained);

        float[] beside;
        List<Requests.Answered> answers;
        try (Colocated colocated = open(mode, every);
                Requests requests = new Requests(colocated.address())) {
            requests.every(EVERY_MS);
            beside = train(
                    name, samples, epochs, trained -> answering(colocated.serving(remembering(trained)), requests));
            answers = requests.end();
        }

        assertThat(beside).isEqualTo(alone);
        List<Requests.Answered> predicted =
                answers.stream().filter(answer -> answer.status() == 200).toList();
        assertThat(predicted).as("of %d", answers.size()).isNotEmpty();
        assertThat(answers)
                .as("before the first load and after the last there is no model")
                .allSatisfy(answer -> assertThat(answer.status()).isIn(200, 503));
        if (!mode.equals("live")) {
            assertEachIsOfItsVersion(name, predicted);
        }
        assertSteps(predicted, every);
    }

    /** Equal versions answer equally, and each answer is bit for bit that of the named version. */
    private void assertEachIsOfItsVersion(String name, List<Requests.Answered> answers) {
        try (Network fresh = Libtorch.open(network(name), Device.CPU)) {
            TrainedTensorsPredictor reference = new TrainedTensorsPredictor(true);
            answers.stream()
                    .sorted((one, other) ->
                            Long.compare(version(one).version(), version(other).version()))
                    .forEach(answer -> {
                        TensorSet set = Objects.requireNonNull(loaded.get(version(answer)), "loaded");
                        reference.load(fresh, set, set);
                        assertThat(probabilities(answer)).isEqualTo(probabilities(reference, answer.digit()));
                    });
            reference.retire();
        }
    }

    private static void assertSteps(List<Requests.Answered> answers, int every) {
        assertThat(answers)
                .allSatisfy(
                        answer -> assertThat(version(answer).version() % every).isZero());
    }

    private static ParameterVersion version(Requests.Answered answer) {
        return new ParameterVersion(
                answer.body().get("generation").asString(),
                answer.body().get("version").asLong());
    }

    private static List<Float> probabilities(Requests.Answered answer) {
        return answer.body()
                .get("predictions")
                .get(0)
                .get("probabilities")
                .valueStream()
                .map(value -> value.floatValue())
                .toList();
    }

    private static List<Float> probabilities(ColocatedPredictor reference, int digit) {
        List<Integer> values = Requests.pixels(digit);
        float[] pixels = new float[values.size()];
        for (int i = 0; i < pixels.length; i++) {
            pixels[i] = values.get(i);
        }
        Scores scores = reference
                .classify(new Images(reference.form().orElseThrow().network().shape(), pixels))
                .orElseThrow()
                .result()
                .scores()
                .get(0);
        return scores.probabilities();
    }
}
