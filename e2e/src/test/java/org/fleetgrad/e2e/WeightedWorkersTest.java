package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.ParameterServers;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.client.PullResult;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.augment.Augmentation;
import org.fleetgrad.datasets.sampling.Sampling;
import org.fleetgrad.datasets.shard.ShardArchive;
import org.fleetgrad.datasets.synth.SyntheticDigits;
import org.fleetgrad.libtorch.Device;
import org.fleetgrad.libtorch.Libtorch;
import org.fleetgrad.libtorch.LossWeights;
import org.fleetgrad.libtorch.Network;
import org.fleetgrad.networks.ClassWeights;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.optim.Optimizer;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;
import org.fleetgrad.protocol.encoding.Encodings;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.worker.training.Learning;
import org.fleetgrad.worker.training.TrainingReport;
import org.fleetgrad.worker.training.TrainingTask;
import org.fleetgrad.worker.training.TrainingTask.Transfer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two synchronous workers whose batches have other sizes and other classes train as one worker does on both batches together,
 * with class weights, too: then the mean of the two means is not the mean.
 */
@Tag("whole")
class WeightedWorkersTest {

    private static final long SEED = 5;
    private static final int EPOCHS = 4;
    private static final int SAMPLES = 40;
    private static final int CUT = 24;
    private static final float RATE = 0.05f;
    private static final NetworkDefinition LENET5 = Networks.usual("lenet5");
    private static final TensorLayout LAYOUT = LENET5.spec().layout();
    private static final ClassWeights WEIGHTS = ClassWeights.parse("9,7,5,3,1,0.5,0.25,0.1,0,0.05");

    @TempDir
    private Path folder;

    @Test
    void shouldTrainAsOneWorkerOnBothBatchesTogether() throws Exception {
        ImageSamples sorted = sorted();

        float[] trained = train(List.of(sorted.slice(0, CUT), sorted.slice(CUT, SAMPLES)));

        float[] expected = LENET5.initialParameters(SEED);
        Optimizer optimizer = Optimizer.create(new SgdSettings(0.9f, 0, false, 0), expected.length);
        try (Network network = Libtorch.open(LENET5, Device.CPU)) {
            for (int epoch = 0; epoch < EPOCHS; epoch++) {
                optimizer.step(expected, gradient(network, expected, sorted), RATE);
            }
        }
        for (int i = 0; i < expected.length; i++) {
            assertThat(Math.abs(trained[i] - expected[i])).as("value %d", i).isLessThan(2e-5f);
        }
        assertThat(trained).isNotEqualTo(LENET5.initialParameters(SEED));
    }

    /** So the first part has the classes that count much. */
    private static ImageSamples sorted() {
        ImageSamples digits = SyntheticDigits.generate(SAMPLES, 1);
        List<Integer> order = IntStream.range(0, SAMPLES)
                .boxed()
                .sorted(Comparator.comparing(digits::label))
                .toList();
        byte[] images = new byte[digits.images().length];
        byte[] labels = new byte[SAMPLES];
        int size = digits.imageBytes();
        for (int i = 0; i < SAMPLES; i++) {
            System.arraycopy(digits.images(), order.get(i) * size, images, i * size, size);
            labels[i] = (byte) digits.label(order.get(i));
        }
        return new ImageSamples(1, digits.height(), digits.width(), images, labels);
    }

    private float[] train(List<ImageSamples> parts) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(parts.size());
        CyclicBarrier registered = new CyclicBarrier(parts.size());
        try (ServerHere server = ServerHere.start(
                "ps.mode=sync:workers=" + parts.size(), "ps.learning-rate=" + RATE, "ps.optimizer=sgd:momentum=0.9")) {
            URI address = server.address();
            List<Future<TrainingReport>> workers = threads.invokeAll(IntStream.range(0, parts.size())
                    .mapToObj(i -> (Callable<TrainingReport>) () -> work(i, parts.get(i), address, registered))
                    .toList());
            for (Future<TrainingReport> worker : workers) {
                assertThat(worker.get().pushes()).isEqualTo(EPOCHS);
            }
            PullResult.Pulled pulled = (PullResult.Pulled) client(address).pull();
            assertThat(pulled.version().version()).isEqualTo(EPOCHS);
            return pulled.parameters().toFloats(LAYOUT);
        } finally {
            threads.shutdownNow();
        }
    }

    private TrainingReport work(int index, ImageSamples part, URI address, CyclicBarrier registered) throws Exception {
        Path file = folder.resolve("shard-%d.tar.gz".formatted(index));
        ShardArchive.write(DigitsShard.of(part), file);
        TrainingTask task = new TrainingTask(
                new Learning(part.count(), 1, 0, 0, WEIGHTS, Sampling.SHUFFLED, Augmentation.NONE, SEED),
                Optional.of(LENET5.spec().name()),
                WorkerHere.identity("w" + index),
                new Transfer(Encodings.PLAIN, Encodings.PLAIN, false));
        try (Network network = Libtorch.open(LENET5, Device.CPU)) {
            return task.runShard(
                    WorkerHere.tools(client(address), definition -> afterAll(registered, network)),
                    file.toString(),
                    EPOCHS,
                    0);
        }
    }

    /** Otherwise the first worker's gradient alone would make a step. */
    private static Network afterAll(CyclicBarrier registered, Network network) {
        try {
            int unused = registered.await();
            return network;
        } catch (InterruptedException | BrokenBarrierException other) {
            throw new IllegalStateException(other);
        }
    }

    private static ParameterServers client(URI address) throws IOException {
        return ParameterServers.of(List.of(new PsClient(address, ClientOptions.DEFAULT)));
    }

    private static float[] gradient(Network network, float[] parameters, ImageSamples samples) {
        network.load(TensorSet.ofFloats(LAYOUT, parameters, Map.of()));
        int[] all = IntStream.range(0, SAMPLES).toArray();
        float[] images = new float[SAMPLES * samples.imageBytes()];
        DigitsShard.of(samples).description().images().normalization().normalize(samples, all, images);
        float[] labels = new float[SAMPLES];
        for (int i = 0; i < SAMPLES; i++) {
            labels[i] = samples.label(i);
        }
        LossWeights weights = new LossWeights(WEIGHTS, new float[0]);
        float unused = network.accumulate(images, labels, SAMPLES, 0, 0, weights);
        float[] gradient = new float[(int) LAYOUT.elementCount()];
        network.drainGradient(gradient, (float) (1 / weights.sum(labels, SAMPLES)));
        return gradient;
    }
}
