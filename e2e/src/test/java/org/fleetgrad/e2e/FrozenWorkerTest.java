package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.client.ParameterServers;
import org.fleetgrad.client.PullResult;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.augment.Augmentation;
import org.fleetgrad.datasets.sampling.BatchSampler;
import org.fleetgrad.datasets.sampling.BatchSampler.Epoch;
import org.fleetgrad.datasets.sampling.Sampling;
import org.fleetgrad.datasets.shard.Shard;
import org.fleetgrad.datasets.shard.ShardArchive;
import org.fleetgrad.datasets.synth.SyntheticDigits;
import org.fleetgrad.libtorch.Device;
import org.fleetgrad.libtorch.Libtorch;
import org.fleetgrad.libtorch.Network;
import org.fleetgrad.networks.ClassWeights;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.optim.Optimizer;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;
import org.fleetgrad.protocol.encoding.Encodings;
import org.fleetgrad.protocol.encoding.ErrorFeedback;
import org.fleetgrad.protocol.encoding.TensorFormat;
import org.fleetgrad.protocol.tensor.FreezePatterns;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TrainableValues;
import org.fleetgrad.worker.training.Learning;
import org.fleetgrad.worker.training.TrainingReport;
import org.fleetgrad.worker.training.TrainingTask;
import org.fleetgrad.worker.training.TrainingTask.Transfer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A worker and its servers train LeNet-5 with frozen tensors, beside the test's own loop over the trainable ones. Of three
 * servers, the first two have no trainable value.
 */
@Tag("whole")
class FrozenWorkerTest {

    private static final long SEED = 5;
    private static final int BATCH = 8;
    private static final int EPOCHS = 2;
    private static final NetworkDefinition LENET5 = Networks.usual("lenet5");
    private static final TensorLayout LAYOUT = LENET5.spec().layout();
    private static final String FREEZE = "conv*,fc1.*";
    private static final TrainableValues PLACES = TrainableValues.of(
            LAYOUT, FreezePatterns.parse(FREEZE).in(LAYOUT, LENET5.spec().state()));

    @TempDir
    private Path folder;

    /** The cuts between three servers lie in frozen tensors, so each encoding sees the same tensors as with one. */
    @ParameterizedTest
    @CsvSource({
        "f32, 1",
        "f32, 3",
        "rows, 1",
        "rows, 3",
        "f16, 1",
        "f16, 3",
        "bf16, 1",
        "bf16, 3",
        "i8, 1",
        "i8, 3",
        "topk:0.2, 1",
        "topk:0.2, 3",
        "2bit:0.002, 1",
        "2bit:0.002, 3"
    })
    void shouldTrainBitForBitLikeAnOptimizerOfTheTrainableTensorsAlone(String encoding, int servers) throws Exception {
        Shard shard = DigitsShard.of(SyntheticDigits.generate(80, 1));
        Trained trained = train(shard, encoding, servers);

        float[] all = LENET5.initialParameters(SEED);
        float[] trainable = PLACES.of(all);
        Optimizer optimizer = Optimizer.create(new SgdSettings(0.9f, 0, false, 0.001f), trainable.length);
        TensorFormat format = new TensorFormat(
                Encodings.parse(encoding), PLACES.layout(), LENET5.spec().state());
        ErrorFeedback feedback = new ErrorFeedback(format);
        BatchSampler sampler = new BatchSampler(shard.samples().count(), BATCH, SEED);
        long pushed = 0;
        long steps = 0;
        try (Network network = Libtorch.open(LENET5, Device.CPU)) {
            for (int epoch = 0; epoch < EPOCHS; epoch++) {
                Epoch order = sampler.epoch(epoch);
                for (int at = 0; at < shard.samples().count(); at += BATCH) {
                    float[] gradient = PLACES.of(gradient(network, all, shard, order.samples(at, BATCH)));
                    ErrorFeedback.Encoded wire = feedback.encode(gradient);
                    pushed += wire.layout().byteLength();
                    format.decode(new TensorSet(wire.layout(), wire.bytes().duplicate(), Map.of()), gradient);
                    optimizer.step(trainable, gradient, 0.05f);
                    PLACES.putInto(trainable, all);
                    steps++;
                }
            }
        }
        assertThat(trained.values()).isEqualTo(all);
        assertThat(PLACES.isFrozenAlike(trained.values(), LENET5.initialParameters(SEED)))
                .isTrue();
        assertThat(trained.report().pushes()).isEqualTo(steps);
        // One complete pull, and then pushes and pulls of the trainable tensors.
        assertThat(trained.report().bytes())
                .isEqualTo(Files.size(folder.resolve("shard.tar.gz"))
                        + LAYOUT.byteLength()
                        + pushed
                        + steps * PLACES.layout().byteLength());
    }

    /** What the servers have in the end. */
    private record Trained(float[] values, TrainingReport report) {}

    private Trained train(Shard shard, String encoding, int servers) throws Exception {
        Path file = folder.resolve("shard.tar.gz");
        ShardArchive.write(shard, file);
        List<ServerHere> running = new ArrayList<>();
        try (Network network = Libtorch.open(LENET5, Device.CPU)) {
            for (int i = 0; i < servers; i++) {
                running.add(ServerHere.start(
                        "ps.mode=sync",
                        "ps.freeze=" + FREEZE,
                        "ps.learning-rate=0.05",
                        "ps.optimizer=sgd:momentum=0.9,weight-decay=0.001"));
            }
            ParameterServers client =
                    ParameterServers.of(running.stream().map(ServerHere::client).toList());
            TrainingTask task = new TrainingTask(
                    new Learning(BATCH, 1, 0, 0, ClassWeights.EQUAL, Sampling.SHUFFLED, Augmentation.NONE, SEED),
                    Optional.of(LENET5.spec().name()),
                    WorkerHere.identity("w"),
                    new Transfer(Encodings.parse(encoding), Encodings.PLAIN, false));
            TrainingReport report =
                    task.runShard(WorkerHere.tools(client, definition -> network), file.toString(), EPOCHS, 0);
            PullResult.Pulled pulled = (PullResult.Pulled) client.pull();
            return new Trained(pulled.parameters().toFloats(LAYOUT), report);
        } finally {
            running.forEach(ServerHere::close);
        }
    }

    private static float[] gradient(Network network, float[] parameters, Shard shard, int[] batch) {
        network.load(TensorSet.ofFloats(LAYOUT, parameters, Map.of()));
        ImageSamples samples = shard.images();
        float[] images = new float[batch.length * samples.imageBytes()];
        shard.description().images().normalization().normalize(samples, batch, images);
        float[] labels = new float[batch.length];
        for (int i = 0; i < batch.length; i++) {
            labels[i] = samples.label(batch[i]);
        }
        float unused = network.accumulate(images, labels, batch.length);
        float[] gradient = new float[(int) LAYOUT.elementCount()];
        network.drainGradient(gradient, 1);
        return gradient;
    }
}
