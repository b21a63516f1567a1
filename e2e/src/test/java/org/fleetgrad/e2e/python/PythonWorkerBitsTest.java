package org.fleetgrad.e2e.python;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.ParameterServers;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.client.PullResult;
import org.fleetgrad.datasets.TableSamples;
import org.fleetgrad.datasets.TableSchema;
import org.fleetgrad.datasets.augment.Augmentation;
import org.fleetgrad.datasets.sampling.BatchSampler;
import org.fleetgrad.datasets.sampling.Sampling;
import org.fleetgrad.datasets.shard.DatasetDescription.SampleRange;
import org.fleetgrad.datasets.shard.Shard;
import org.fleetgrad.datasets.shard.ShardArchive;
import org.fleetgrad.datasets.shard.Split;
import org.fleetgrad.datasets.table.NumberColumn;
import org.fleetgrad.datasets.table.TableTarget.NumberTarget;
import org.fleetgrad.e2e.ServerHere;
import org.fleetgrad.e2e.WorkerHere;
import org.fleetgrad.libtorch.Device;
import org.fleetgrad.libtorch.Libtorch;
import org.fleetgrad.libtorch.Network;
import org.fleetgrad.networks.ClassWeights;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.MetadataKeys;
import org.fleetgrad.protocol.encoding.Encodings;
import org.fleetgrad.protocol.messages.WorkerMessages.RegisterWorkerRequest;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.work.WorkPlan;
import org.fleetgrad.protocol.work.WorkPlan.PlannedShard;
import org.fleetgrad.worker.training.Learning;
import org.fleetgrad.worker.training.TrainingTask;
import org.fleetgrad.worker.training.TrainingTask.Transfer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A synchronous run of a worker in Python and one in Java ends with the bits of two in Java. The layer that is trained is linear, and
 * all numbers are multiples of powers of two that float32 holds exactly, so the order of sums does not matter and the test computes
 * them, too. Shards, epochs, places, frozen tensors and the mean of a step are those of any run.
 */
@Tag("whole")
class PythonWorkerBitsTest {

    private static final long SEED = 5;
    private static final int SHARD = 8;
    private static final int BATCH = 4;
    private static final int EPOCHS = 2;
    private static final float RATE = 0.25f;
    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final float[][] ROWS = {
        {0, 1, 0, 1, 1, 0, 2, 1, 0, 0, 1, 2, 1, 1, 0, 2}, {1, 0, 2, 0, 1, 1, 0, 0, 2, 1, 0, 1, 1, 0, 0, 1}
    };
    private static final float[][] TARGETS = {{1, 2, 0, 1, 3, 2, 0, 1}, {2, 1, 1, 0, 2, 3, 1, 0}};
    private static final TableSchema SCHEMA = new TableSchema(
            List.of(new NumberColumn("a", 0, 1, false), new NumberColumn("b", 0, 1, false)),
            new NumberTarget("y", 0, 1));
    private static final NetworkDefinition NETWORK = Networks.named("tabular?hidden=2", SCHEMA.task());

    @TempDir
    private Path folder;

    private List<PlannedShard> shards = List.of();

    /** fc1.bias, fc1.weight, fc2.bias, fc2.weight: the first layer passes its inputs on. */
    private static float[] initial() {
        return new float[] {0, 0, 1, 0, 0, 1, 0, 1, -1};
    }

    @Test
    void shouldEndWithTheBitsOfTwoWorkersInJava() throws Exception {
        shards = writeShards();

        float[] alone = train(List.of("java-1", "java-2"), false);
        float[] together = train(List.of("java-1"), true);

        assertThat(together).isEqualTo(alone).isEqualTo(expected());
        assertThat(together).isNotEqualTo(initial());
    }

    private List<PlannedShard> writeShards() throws IOException {
        List<PlannedShard> written = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            Path file = folder.resolve("shard-%d.tar.gz".formatted(i));
            TableSamples rows = new TableSamples(ROWS[i], 2, TARGETS[i], 1, new float[0]);
            ShardArchive.write(
                    Shard.of("rows", Split.TRAIN, SCHEMA, new SampleRange(i * SHARD, SHARD, 2 * SHARD), rows), file);
            written.add(new PlannedShard("shard-" + i, file.toUri().toString(), SHARD));
        }
        return written;
    }

    private float[] train(List<String> inJava, boolean isPythonIn) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(inJava.size());
        try (ServerHere server = ServerHere.start(
                "ps.mode=sync", "ps.freeze=fc1.*", "ps.learning-rate=" + RATE, "ps.optimizer=sgd:momentum=0")) {
            URI address = server.address();
            PsClient client = server.client();
            Map<String, String> metadata = new TreeMap<>(NETWORK.spec().metadata());
            // From there the worker in Python has the order of the samples.
            metadata.put(MetadataKeys.SEED, Long.toString(SEED));
            Object put = client.putInitial(TensorSet.ofFloats(NETWORK.spec().layout(), initial(), metadata));
            Object stated = client.putWork(new WorkPlan("rows", EPOCHS, shards));
            // Until both have pushed, the step waits for this one, too: otherwise the first would make it alone.
            Object gate = client.register(new RegisterWorkerRequest("gate", "", null, "none"));
            assertThat(List.of(put, stated, gate)).hasSize(3);
            Optional<PythonProgram> python = isPythonIn
                    ? Optional.of(PythonProgram.start(
                            "e2e/src/test/python/exact_worker.py",
                            folder.resolve("python.log"),
                            address.toString(),
                            Integer.toString(BATCH)))
                    : Optional.empty();
            List<Future<Void>> workers = inJava.stream()
                    .map(id -> threads.submit((Callable<Void>) () -> work(id, address)))
                    .toList();
            await().atMost(TIMEOUT).until(() -> client.as("gate").status().buffered() == 2);
            Object left = client.unregister("gate");
            assertThat(left).isNotNull();
            for (Future<Void> worker : workers) {
                Object unused = worker.get();
            }
            if (python.isPresent()) {
                assertThat(python.get().await(TIMEOUT).strip()).isEqualTo(Integer.toString(EPOCHS * SHARD / BATCH));
            }
            PullResult.Pulled pulled = (PullResult.Pulled) client.pull();
            assertThat(pulled.version().version()).isEqualTo(EPOCHS * SHARD / BATCH);
            assertThat(client.status().samples()).isEqualTo(EPOCHS * 2 * SHARD);
            return pulled.parameters().toFloats(NETWORK.spec().layout());
        } finally {
            threads.shutdownNow();
        }
    }

    private static Void work(String id, URI address) throws Exception {
        TrainingTask task = new TrainingTask(
                new Learning(BATCH, 1, 0, 0, ClassWeights.EQUAL, Sampling.SHUFFLED, Augmentation.NONE, SEED),
                Optional.empty(),
                WorkerHere.identity(id),
                new Transfer(Encodings.PLAIN, Encodings.PLAIN, false));
        try (Network network = Libtorch.open(NETWORK, Device.CPU)) {
            Object unused = task.runQueue(
                    WorkerHere.tools(
                            ParameterServers.of(List.of(new PsClient(address, ClientOptions.DEFAULT))),
                            definition -> network),
                    0);
            return null;
        }
    }

    /** The same in exact arithmetic: a step takes the mean over the batches of both shards. */
    private static float[] expected() {
        double[] weight = {1, -1};
        double bias = 0;
        for (int epoch = 0; epoch < EPOCHS; epoch++) {
            for (int batch = 0; batch < SHARD / BATCH; batch++) {
                double[] gradient = new double[3];
                for (int shard = 0; shard < 2; shard++) {
                    for (int row :
                            new BatchSampler(SHARD, BATCH, SEED).epoch(epoch).batch(batch)) {
                        double a = ROWS[shard][2 * row];
                        double b = ROWS[shard][2 * row + 1];
                        double error = weight[0] * a + weight[1] * b + bias - TARGETS[shard][row];
                        gradient[0] += 2 * error * a / (2 * BATCH);
                        gradient[1] += 2 * error * b / (2 * BATCH);
                        gradient[2] += 2 * error / (2 * BATCH);
                    }
                }
                weight[0] -= RATE * gradient[0];
                weight[1] -= RATE * gradient[1];
                bias -= RATE * gradient[2];
            }
        }
        float[] all = initial();
        all[6] = (float) bias;
        all[7] = (float) weight[0];
        all[8] = (float) weight[1];
        assertThat((double) all[7]).as("float32 holds it exactly").isEqualTo(weight[0]);
        return all;
    }
}
