package org.fleetgrad.worker.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.assertj.core.data.Offset;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.ParameterServers;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.client.fake.FakeParameterServer;
import org.fleetgrad.client.fake.Push;
import org.fleetgrad.client.fake.PushFault;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.sampling.BatchSampler;
import org.fleetgrad.datasets.shard.Shard;
import org.fleetgrad.datasets.shard.ShardArchive;
import org.fleetgrad.datasets.shard.ShardLimits;
import org.fleetgrad.libtorch.Device;
import org.fleetgrad.libtorch.Libtorch;
import org.fleetgrad.libtorch.Network;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.worker.TestShards;
import org.fleetgrad.worker.data.ShardSource;
import org.fleetgrad.worker.training.TrainingTask.Tools;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Trains LeNet-5 against a server of plain SGD, and compares the pushes with the test's own computation. */
@Tag("kernels")
class TrainingTaskTest {

    private static final float LEARNING_RATE = 0.05f;
    private static final long SEED = 5;
    private static final NetworkDefinition LENET5 = Networks.usual("lenet5");
    private static final TensorLayout LAYOUT = LENET5.spec().layout();
    private static final Shard SHARD = TestShards.digits(50, 1);

    @TempDir
    private Path folder;

    private FakeParameterServer server;
    private Network network;

    @BeforeEach
    void open() throws IOException {
        server = new FakeParameterServer(LEARNING_RATE);
        network = Libtorch.open(Networks.usual("lenet5"), Device.CPU);
    }

    @AfterEach
    void close() {
        network.close();
        server.close();
    }

    /** The task of a test, and its epochs. */
    private record Passes(TrainingTask task, int epochs, int first) {}

    private static Passes task(int batchSize, int epochs, int updateInterval) {
        return new Passes(
                new TrainingTask(
                        PlainTraining.learning(batchSize, updateInterval, SEED),
                        Optional.of(LENET5.spec().name()),
                        PlainTraining.WORKER,
                        PlainTraining.TRANSFER),
                epochs,
                0);
    }

    private TrainingReport train(Passes passes, Shard shard) throws Exception {
        return train(passes, shard, () -> false);
    }

    private TrainingReport train(Passes passes, Shard shard, BooleanSupplier stop) throws Exception {
        Path file = folder.resolve("shard.tar.gz");
        ShardArchive.write(shard, file);
        Tools tools = new Tools(
                ParameterServers.of(List.of(new PsClient(server.uri(), ClientOptions.DEFAULT))),
                definition -> network,
                new ShardSource(ShardLimits.DEFAULT),
                new TimeBudget(Clock.systemUTC()),
                new WarmState(),
                stop);
        return passes.task().runShard(tools, file.toString(), passes.epochs(), passes.first());
    }

    private List<Long> samplesOfPushes() {
        return server.pushes().stream().map(push -> push.metadata().samples()).toList();
    }

    /** The test's own network beside the worker's. */
    private static final class Reference implements AutoCloseable {

        private final Network network = Libtorch.open(Networks.usual("lenet5"), Device.CPU);
        private final Shard shard;
        private double loss;

        Reference(Shard shard) {
            this.shard = shard;
        }

        /** The mean of the batches' gradients at {@code parameters}. */
        float[] meanGradient(float[] parameters, List<int[]> batches) {
            network.load(TensorSet.ofFloats(LAYOUT, parameters, Map.of()));
            ImageSamples samples = shard.images();
            loss = 0;
            for (int[] batch : batches) {
                float[] images = new float[batch.length * samples.imageBytes()];
                shard.description().images().normalization().normalize(samples, batch, images);
                float[] labels = new float[batch.length];
                for (int i = 0; i < batch.length; i++) {
                    labels[i] = samples.label(batch[i]);
                }
                loss += network.accumulate(images, labels, batch.length) / batches.size();
            }
            float[] gradient = new float[(int) LAYOUT.elementCount()];
            network.drainGradient(gradient, 1f / batches.size());
            return gradient;
        }

        double loss() {
            return loss;
        }

        @Override
        public void close() {
            network.close();
        }
    }

    private static List<int[]> batches(Shard shard, int batchSize, int epoch) {
        List<int[]> batches = new ArrayList<>();
        new BatchSampler(shard.samples().count(), batchSize, SEED).epoch(epoch).forEach(batches::add);
        return batches;
    }

    private static void descend(float[] parameters, float[] gradient) {
        for (int i = 0; i < parameters.length; i++) {
            parameters[i] -= LEARNING_RATE * gradient[i];
        }
    }

    @Test
    void shouldBePlainSgdBitForBitWhereItIsAlone() throws Exception {
        TrainingReport report = train(task(8, 3, 1), SHARD);

        float[] parameters = LENET5.initialParameters(SEED);
        try (Reference reference = new Reference(SHARD)) {
            for (int epoch = 0; epoch < 3; epoch++) {
                for (int[] batch : batches(SHARD, 8, epoch)) {
                    descend(parameters, reference.meanGradient(parameters, List.of(batch)));
                }
            }
        }
        assertThat(server.parameters().toFloats(LAYOUT)).isEqualTo(parameters);
        assertThat(report.version()).isEqualTo(21).isEqualTo(server.version());
        assertThat(report.completed()).isTrue();
    }

    @Test
    void shouldPushTheMeanOfTheIntervalAndNothingTwice() throws Exception {
        train(task(8, 1, 2), SHARD);

        List<int[]> batches = batches(SHARD, 8, 0);
        float[] parameters = LENET5.initialParameters(SEED);
        List<List<int[]>> pushed =
                List.of(batches.subList(0, 2), batches.subList(2, 4), batches.subList(4, 6), batches.subList(6, 7));
        assertThat(server.pushes()).hasSize(4);
        try (Reference reference = new Reference(SHARD)) {
            for (int i = 0; i < 4; i++) {
                float[] expected = reference.meanGradient(parameters, pushed.get(i));
                Push push = server.pushes().get(i);
                assertThat(push.gradient(LAYOUT)).as("push %d", i + 1).isEqualTo(expected);
                assertThat(push.metadata().sequence()).isEqualTo(i + 1);
                assertThat(push.metadata().baseVersion()).isEqualTo(i);
                assertThat(push.metadata().loss()).isCloseTo(reference.loss(), Offset.offset(1e-6));
                descend(parameters, expected);
            }
        }
    }

    /**
     * Fifty samples in batches of 8: the seventh has 2, and is pushed alone, since the mean of batches would give it too much
     * weight.
     */
    @Test
    void shouldPushTheLastSmallerBatchByItself() throws Exception {
        TrainingReport report = train(task(8, 2, 4), SHARD);

        assertThat(samplesOfPushes()).containsExactly(32L, 16L, 2L, 32L, 16L, 2L);
        assertThat(report.samples()).isEqualTo(100);
        assertThat(report.steps()).isEqualTo(14);
        assertThat(report.pushes()).isEqualTo(6);
        assertThat(report.epochs()).isEqualTo(2);
        assertThat(report.bytes())
                .isEqualTo(Files.size(folder.resolve("shard.tar.gz")) + LAYOUT.byteLength() * (1 + 6 + 6));
    }

    @Test
    void shouldTakeAWholeShardWhereTheBatchIsLarger() throws Exception {
        TrainingReport report = train(task(64, 1, 8), SHARD);

        assertThat(samplesOfPushes()).containsExactly(50L);
        assertThat(report.steps()).isEqualTo(1);
    }

    @Test
    void shouldReportTheMeanLossOfTheSamples() throws Exception {
        TrainingReport report = train(task(8, 1, 1), SHARD);

        double sum = 0;
        for (Push push : server.pushes()) {
            sum += push.metadata().loss() * push.metadata().samples();
        }
        assertThat(report.avgLoss()).isCloseTo(sum / 50, Offset.offset(1e-6));
    }

    @Test
    void shouldBeginAtTheEpochThatItIsTold() throws Exception {
        train(new Passes(task(50, 1, 1).task(), 1, 3), SHARD);

        try (Reference reference = new Reference(SHARD)) {
            assertThat(server.pushes().get(0).gradient(LAYOUT))
                    .isEqualTo(reference.meanGradient(LENET5.initialParameters(SEED), batches(SHARD, 50, 3)));
        }
    }

    @Test
    void shouldSeedTheServerWithWhatWhoeverServesTheModelMustKnow() throws Exception {
        train(task(50, 1, 1), SHARD);

        assertThat(server.parameters().metadata())
                .containsEntry("network", "lenet5?classes=10&input=1x28x28")
                .containsEntry("dataset", "digits")
                .containsEntry("seed", "5")
                .containsEntry("classes", "[\"0\",\"1\",\"2\",\"3\",\"4\",\"5\",\"6\",\"7\",\"8\",\"9\"]");
        assertThat(server.parameters().metadata().get("normalization"))
                .contains("\"mean\":[0.1307]", "\"std\":[0.3081]");
    }

    @Test
    void shouldLearn() throws Exception {
        TrainingReport first = train(task(10, 5, 1), SHARD);
        TrainingReport later = train(task(10, 25, 1), SHARD);

        assertThat(later.avgLoss()).isLessThan(0.7 * first.avgLoss());
    }

    @Test
    void shouldPushWhatItHoldsWhenItIsStopped() throws Exception {
        int[] asked = {0};

        TrainingReport report = train(task(8, 5, 4), SHARD, () -> asked[0]++ >= 6);

        assertThat(samplesOfPushes()).containsExactly(32L, 16L);
        assertThat(report.completed()).isFalse();
        assertThat(report.epochs()).isZero();
        assertThat(report.steps()).isEqualTo(6);
        assertThat(server.workers()).isEmpty();
    }

    @Test
    void shouldGoOnPastStaleGradientsAndLeave() throws Exception {
        server.nextIsFine().next(PushFault.stale()).nextIsFine();

        TrainingReport report = train(task(10, 1, 1), SHARD);

        assertThat(report.pushes()).isEqualTo(4);
        assertThat(report.stale()).isEqualTo(1);
        assertThat(report.completed()).isTrue();
        assertThat(server.workers()).isEmpty();
        assertThat(server.calls()).endsWith("POST /unregisterWorker");
    }

    @Test
    void shouldTrainOnFewerClassesThanTheNetworkHas() throws Exception {
        Shard three = TestShards.of(new ImageSamples(1, 28, 28, new byte[3 * 784], new byte[] {0, 1, 2}), 3);

        TrainingReport report = train(task(3, 1, 1), three);

        assertThat(report.counted()).isEqualTo(3);
        assertThat(server.parameters().metadata()).containsEntry("classes", "[\"0\",\"1\",\"2\"]");
    }

    @Test
    void shouldRefuseImagesOfAnotherShape() {
        Shard colour = TestShards.of(new ImageSamples(3, 28, 28, new byte[3 * 784], new byte[1]), 10);

        assertThatThrownBy(() -> train(task(8, 1, 1), colour))
                .isInstanceOf(TrainingFailedException.class)
                .hasMessage(
                        "the network does not fit the dataset digits: the network 'lenet5?classes=10&input=1x28x28' "
                                + "takes images of [1, 28, 28], the dataset has [3, 28, 28]");
        assertThat(server.workers()).isEmpty();
    }

    @Test
    void shouldRefuseMoreClassesThanTheNetworkHas() {
        Shard letters = TestShards.of(new ImageSamples(1, 28, 28, new byte[784], new byte[1]), 26);

        assertThatThrownBy(() -> train(task(8, 1, 1), letters))
                .isInstanceOf(TrainingFailedException.class)
                .hasMessageEndingWith("has 10 classes, the dataset has 26");
    }

    @Test
    void shouldRefuseAServerThatTrainsAnotherNetworkThanItWasTold() {
        server.start(9, TensorSet.ofFloats(LAYOUT, LENET5.initialParameters(SEED), Map.of("network", "mlp")));

        assertThatThrownBy(() -> train(task(8, 1, 1), SHARD))
                .isInstanceOf(TrainingFailedException.class)
                .hasMessage("this worker was told to train the network 'lenet5?classes=10&input=1x28x28', "
                        + "the server trains 'mlp': leave 'network' out, or begin another run");
        assertThat(server.workers()).isEmpty();
    }

    @Test
    void shouldSayWhichNetworksThereAreWhereTheServerTrainsAnUnknownOne() {
        server.start(9, TensorSet.ofFloats(LAYOUT, LENET5.initialParameters(SEED), Map.of("network", "lenet6")));

        assertThatThrownBy(() -> train(task(8, 1, 1), SHARD))
                .isInstanceOf(TrainingFailedException.class)
                .hasMessageStartingWith(
                        "the server trains a network that does not fit this worker or its dataset digits: "
                                + "there is no network 'lenet6'; the networks are bert, ");
    }

    @Test
    void shouldFailClearlyAndLeaveWhereTrainingHasDiverged() {
        server.start(9, withNaN());

        assertThatThrownBy(() -> train(task(8, 1, 1), SHARD))
                .isInstanceOf(TrainingFailedException.class)
                .hasMessage("the loss of batch 1 is NaN: training has diverged; try a smaller learning rate");
        assertThat(server.pushes()).isEmpty();
        assertThat(server.workers()).isEmpty();
    }

    private static TensorSet withNaN() {
        float[] values = LENET5.initialParameters(SEED);
        values[0] = Float.NaN;
        return TensorSet.ofFloats(LAYOUT, values, Map.of());
    }

    @Test
    void shouldLeaveWhereItsGradientIsRefused() {
        server.next(PushFault.refused(422, "not-finite", "tensor 'fc1.bias' holds Infinity at 3"));

        assertThatThrownBy(() -> train(task(8, 1, 1), SHARD))
                .isInstanceOf(TrainingFailedException.class)
                .hasMessage("the server refused gradient 1: tensor 'fc1.bias' holds Infinity at 3");
        assertThat(server.workers()).isEmpty();
    }
}
