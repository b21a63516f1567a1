package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.client.PullResult.Pulled;
import org.fleetgrad.client.PushResult;
import org.fleetgrad.libtorch.Device;
import org.fleetgrad.libtorch.Libtorch;
import org.fleetgrad.libtorch.Network;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.optim.Optimizer;
import org.fleetgrad.optim.OptimizerSpec;
import org.fleetgrad.protocol.MetadataKeys;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.protocol.messages.WorkerMessages.RegisterWorkerRequest;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.testing.FreePorts;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A text in each mode: workers of this program push the gradients of a GPT-2 to a real server, in an order that is the test's. */
@Tag("whole")
class TextModesIT {

    private static final String NETWORK = Letters.network(1, 32);
    private static final int CONTEXT = 16;
    private static final int BATCH = 8;
    private static final int STEPS = 20;
    private static final int ROUNDS = 40;

    @TempDir
    private Path folder;

    private final NetworkDefinition definition = Networks.named(NETWORK);
    private final TensorLayout layout = definition.spec().layout();
    private final Network network = Libtorch.open(definition, Device.CPU);
    private final int port = FreePorts.next();
    private final PsClient client = new PsClient(URI.create("http://127.0.0.1:" + port), ClientOptions.DEFAULT);
    private final List<JarProcess> programs = new ArrayList<>();

    /** Windows of the text, other ones for each number. */
    private record Batch(float[] tokens, float[] labels, int count) {

        static Batch of(int number) {
            String text = Letters.of(400);
            Random random = new Random(number);
            float[] tokens = new float[BATCH * CONTEXT];
            float[] labels = new float[BATCH * CONTEXT];
            for (int sample = 0; sample < BATCH; sample++) {
                int from = random.nextInt(text.length() - CONTEXT);
                for (int i = 0; i < CONTEXT; i++) {
                    tokens[sample * CONTEXT + i] = text.charAt(from + i) - 'a';
                    labels[sample * CONTEXT + i] = text.charAt(from + i + 1) - 'a';
                }
            }
            return new Batch(tokens, labels, BATCH);
        }

        /** Returns one of as many equal parts. */
        Batch part(int index, int of) {
            int each = count / of * CONTEXT;
            return new Batch(
                    Arrays.copyOfRange(tokens, index * each, (index + 1) * each),
                    Arrays.copyOfRange(labels, index * each, (index + 1) * each),
                    count / of);
        }
    }

    /** A mean gradient, and the loss. */
    private record Computed(float[] gradient, float loss) {}

    private Computed compute(TensorSet parameters, Batch batch) {
        network.load(parameters);
        float loss = network.accumulate(batch.tokens(), batch.labels(), batch.count());
        float[] gradient = new float[(int) layout.elementCount()];
        network.drainGradient(gradient, 1);
        return new Computed(gradient, loss);
    }

    /** A worker, which computes on the parameters that it pulled last. */
    private final class Worker {

        private final String id;
        private final PsClient own;
        private Pulled base;
        private long sequence;

        Worker(int number) throws IOException {
            id = "worker-" + number;
            Object unused = client.register(new RegisterWorkerRequest(id, "text", null, "cpu"));
            own = client.as(id);
            base = (Pulled) own.pull();
        }

        void pull() throws IOException {
            base = (Pulled) own.pull();
        }

        PushResult push(Batch batch) throws IOException {
            Computed computed = compute(base.parameters(), batch);
            sequence++;
            GradientMetadata metadata = new GradientMetadata(
                    id,
                    sequence,
                    base.version().generation(),
                    base.version().version(),
                    batch.count(),
                    computed.loss());
            return own.push(metadata, layout, computed.gradient(), false);
        }
    }

    private void start(String mode, String optimizer, String rate) throws IOException {
        programs.add(JarProcess.start(
                "ps-service",
                folder.resolve("ps-service.log"),
                Map.of(
                        "SERVER_PORT",
                        Integer.toString(port),
                        "PS_MODE",
                        mode,
                        "PS_OPTIMIZER",
                        optimizer,
                        "PS_LEARNINGRATE",
                        rate)));
        await().atMost(Duration.ofMinutes(2))
                .ignoreExceptions()
                .until(() -> client.version().code() == 200);
        Object unused = client.putInitial(set(definition.initialParameters(7)));
    }

    private List<Worker> workers(int count) {
        return IntStream.range(0, count)
                .mapToObj(number -> {
                    try {
                        return new Worker(number);
                    } catch (IOException failed) {
                        throw new AssertionError(failed);
                    }
                })
                .toList();
    }

    private TensorSet set(float[] values) {
        return TensorSet.ofFloats(layout, values, Map.of(MetadataKeys.NETWORK, NETWORK));
    }

    private TensorSet served() throws IOException {
        return ((Pulled) client.pull()).parameters();
    }

    @AfterEach
    void end() throws InterruptedException {
        network.close();
        for (JarProcess program : programs) {
            program.kill();
        }
    }

    /**
     * The bound of several workers is that of SyncTrainingTest. They train with SGD: Adam divides by the gradient's size, and
     * the gradient of a key's bias is nothing but rounding.
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1 | adamw:beta2=0.99,weight-decay=0.1 | 0.003 | 0",
                "2 | sgd:momentum=0.9 | 0.1 | 1e-5",
                "4 | sgd:momentum=0.9 | 0.1 | 1e-5"
            })
    void shouldTrainLikeTheOptimizerAloneOnTheLargeBatchWhenSynchronous(
            int count, String optimizer, String rate, float bound) throws Exception {
        start("sync", optimizer, rate);
        List<Worker> workers = workers(count);
        float[] expected = definition.initialParameters(7);
        Optimizer alone = Optimizer.create(OptimizerSpec.parse(optimizer).settings(), expected.length);
        float before = compute(set(expected), Batch.of(0)).loss();

        for (int step = 0; step < STEPS; step++) {
            Batch batch = Batch.of(step);
            for (int i = 0; i < count; i++) {
                workers.get(i).pull();
                assertThat(workers.get(i).push(batch.part(i, count))).isInstanceOf(PushResult.Accepted.class);
            }
            alone.step(expected, compute(set(expected), batch).gradient(), Float.parseFloat(rate));
        }

        assertThat(client.version().version()).isEqualTo(STEPS);
        float[] trained = served().toFloats(layout);
        for (int i = 0; i < trained.length; i++) {
            assertThat(trained[i])
                    .as("value %d", i)
                    .isCloseTo(expected[i], within(bound * (1 + Math.abs(expected[i]))));
        }
        assertThat(compute(served(), Batch.of(0)).loss()).isLessThan(before - 0.3f);
    }

    /** The workers push in turn, so the staleness is the same each time. */
    @ParameterizedTest
    @CsvSource({"async, 2", "async:gradients=2, 1", "ssp:max-lead=2, 2", "sync:backup-workers=1, 0"})
    void shouldTrainInEveryOtherMode(String mode, long staleness) throws Exception {
        start(mode, "adamw", "0.003");
        List<Worker> workers = workers(3);
        float before = compute(served(), Batch.of(0)).loss();
        long accepted = 0;
        long stale = 0;

        for (int round = 0; round < ROUNDS; round++) {
            for (int i = 0; i < workers.size(); i++) {
                PushResult result = workers.get(i).push(Batch.of(round * workers.size() + i));
                accepted += result instanceof PushResult.Accepted ? 1 : 0;
                stale += result instanceof PushResult.Stale ? 1 : 0;
                if (!mode.startsWith("sync")) {
                    workers.get(i).pull();
                }
            }
            if (mode.startsWith("sync")) {
                for (Worker worker : workers) {
                    worker.pull();
                }
            }
        }

        assertThat(stale).isEqualTo(mode.startsWith("sync") ? ROUNDS : 0);
        assertThat(accepted + stale).isEqualTo(3L * ROUNDS);
        assertThat(client.status().samples()).isEqualTo(accepted * BATCH);
        assertThat(client.status().worstStaleness()).isEqualTo(staleness);
        assertThat(compute(served(), Batch.of(0)).loss()).isLessThan(before - 0.5f);
    }
}
