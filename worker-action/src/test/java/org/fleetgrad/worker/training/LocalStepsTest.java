package org.fleetgrad.worker.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.ParameterServers;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.client.fake.FakeParameterServer;
import org.fleetgrad.client.fake.FakeWork;
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
import org.fleetgrad.optim.Optimizer;
import org.fleetgrad.optim.OptimizerSpec;
import org.fleetgrad.protocol.encoding.Encodings;
import org.fleetgrad.protocol.messages.WorkerMessages.LocalStepsTerms;
import org.fleetgrad.protocol.tensor.FreezePatterns;
import org.fleetgrad.protocol.tensor.FrozenTensors;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.protocol.work.Cursor;
import org.fleetgrad.testing.ManualClock;
import org.fleetgrad.worker.TestShards;
import org.fleetgrad.worker.data.ShardSource;
import org.fleetgrad.worker.training.TrainingTask.Tools;
import org.fleetgrad.worker.training.TrainingTask.Transfer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Workers that make several steps between two pushes, against computations of the test's own. */
class LocalStepsTest {

    private static final long SEED = 5;
    private static final NetworkDefinition LENET5 = Networks.usual("lenet5");
    private static final TensorLayout LAYOUT = LENET5.spec().layout();
    private static final Shard SHARD = TestShards.digits(50, 1);

    @TempDir
    private Path folder;

    private final List<AutoCloseable> opened = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
    }

    private FakeParameterServer server(double outerRate, int steps, String inner, double rate) throws IOException {
        FakeParameterServer server =
                new FakeParameterServer((float) outerRate).askForLocalSteps(new LocalStepsTerms(steps, inner, rate));
        opened.add(server);
        return server;
    }

    private Network network(NetworkDefinition definition) {
        Network network = Libtorch.open(definition, Device.CPU);
        opened.add(network);
        return network;
    }

    private Tools tools(FakeParameterServer server, NetworkDefinition definition, Clock clock, BooleanSupplier stop) {
        Network network = network(definition);
        return new Tools(
                ParameterServers.of(List.of(new PsClient(server.uri(), ClientOptions.DEFAULT))),
                wanted -> network,
                new ShardSource(ShardLimits.DEFAULT),
                new TimeBudget(clock, () -> TimeUnit.MILLISECONDS.toNanos(clock.millis())),
                new WarmState(),
                stop);
    }

    private static TrainingTask task(NetworkDefinition definition, int batchSize, int updateInterval) {
        return new TrainingTask(
                PlainTraining.learning(batchSize, updateInterval, SEED),
                Optional.of(definition.spec().name()),
                PlainTraining.WORKER,
                PlainTraining.TRANSFER);
    }

    private Path file(Shard shard) throws IOException {
        Path file = folder.resolve("shard-%d.tar.gz".formatted(shard.samples().count()));
        ShardArchive.write(shard, file);
        return file;
    }

    private TrainingReport train(FakeParameterServer server, int epochs) throws Exception {
        return task(LENET5, 8, 1)
                .runShard(
                        tools(server, LENET5, Clock.systemUTC(), () -> false),
                        file(SHARD).toString(),
                        epochs,
                        0);
    }

    /** Trains in one place, with a step for each batch: what PyTorch's loop does. */
    private float[] trainedHere(OptimizerSpec spec, double rate, int epochs) {
        Network network = network(LENET5);
        float[] parameters = LENET5.initialParameters(SEED);
        Optimizer optimizer = Optimizer.create(spec.settings(), parameters.length);
        float[] gradient = new float[parameters.length];
        ImageSamples samples = SHARD.images();
        for (int epoch = 0; epoch < epochs; epoch++) {
            for (int[] batch : new BatchSampler(samples.count(), 8, SEED).epoch(epoch)) {
                float[] images = new float[batch.length * samples.imageBytes()];
                SHARD.description().images().normalization().normalize(samples, batch, images);
                float[] labels = new float[batch.length];
                for (int i = 0; i < batch.length; i++) {
                    labels[i] = samples.label(batch[i]);
                }
                network.load(TensorSet.ofFloats(LAYOUT, parameters, Map.of()));
                network.accumulate(images, labels, batch.length);
                network.drainGradient(gradient, 1);
                optimizer.step(parameters, gradient, (float) rate);
            }
        }
        return parameters;
    }

    private static void assertClose(float[] actual, float[] expected) {
        for (int i = 0; i < expected.length; i++) {
            assertThat(actual[i]).as("value %d", i).isCloseTo(expected[i], within(2e-6f));
        }
    }

    @ParameterizedTest
    @CsvSource({"sgd, 0.05", "sgd:momentum=0.9, 0.02", "adamw, 0.001", "adam:weight-decay=0.1, 0.001"})
    void shouldEqualTrainingInOnePlaceWhereTheOuterStepIsTheWholeDistance(String inner, double rate) throws Exception {
        FakeParameterServer server = server(1, 3, inner, rate);

        TrainingReport report = train(server, 2);

        assertClose(server.parameters().toFloats(LAYOUT), trainedHere(OptimizerSpec.parse(inner), rate, 2));
        // Seven batches a pass: three, three and one.
        assertThat(server.pushes().stream().map(push -> push.metadata().samples()))
                .containsExactly(24L, 24L, 2L, 24L, 24L, 2L);
        assertThat(server.pushes().stream()
                        .map(push -> push.metadata().localSteps().orElseThrow()))
                .containsExactly(3L, 3L, 1L, 3L, 3L, 1L);
        assertThat(report.pushes()).isEqualTo(6);
        assertThat(report.steps()).isEqualTo(14);
        assertThat(report.counted()).isEqualTo(report.samples()).isEqualTo(100);
    }

    @Test
    void shouldEqualPlainSgdWhereOneInnerStepIsTheGradient() throws Exception {
        FakeParameterServer server = server(0.05, 1, "sgd", 1);

        train(server, 2);

        assertClose(server.parameters().toFloats(LAYOUT), trainedHere(OptimizerSpec.parse("sgd"), 0.05, 2));
        assertThat(server.pushes()).hasSize(14);
    }

    @Test
    void shouldMakeTheMeanOfSeveralBatchesOneStep() throws Exception {
        FakeParameterServer server = server(1, 2, "sgd", 0.05);

        task(LENET5, 8, 2)
                .runShard(
                        tools(server, LENET5, Clock.systemUTC(), () -> false),
                        file(SHARD).toString(),
                        1,
                        0);

        // Batches of 8 8 | 8 8, then 8 8 | 2: the batch of another size is a step of its own.
        assertThat(server.pushes().stream().map(push -> push.metadata().samples()))
                .containsExactly(32L, 18L);
    }

    /** Statistics do not depend on the inner steps if these go nowhere: then K steps observe what one mean of K batches does. */
    @Test
    void shouldSendTheStatisticsOfAllItsSteps() throws Exception {
        NetworkDefinition resnet = Networks.named("resnet20", List.of(1, 28, 28), 10);
        Shard shard = TestShards.digits(24, 1);
        FakeParameterServer still = server(1, 3, "sgd", 1e-12);
        FakeParameterServer plain = new FakeParameterServer(1);
        opened.add(plain);

        task(resnet, 8, 1)
                .runShard(
                        tools(still, resnet, Clock.systemUTC(), () -> false),
                        file(shard).toString(),
                        1,
                        0);
        task(resnet, 8, 3)
                .runShard(
                        tools(plain, resnet, Clock.systemUTC(), () -> false),
                        file(shard).toString(),
                        1,
                        0);

        Push local = still.pushes().get(0);
        Push mean = plain.pushes().get(0);
        assertThat(local.metadata().batches())
                .isEqualTo(mean.metadata().batches())
                .hasValue(3);
        assertThat(local.metadata().loss()).isCloseTo(mean.metadata().loss(), within(1e-5));
        TensorLayout layout = resnet.spec().layout();
        float[] observed = local.gradient(layout);
        float[] expected = mean.gradient(layout);
        int at = 0;
        int compared = 0;
        for (TensorSpec tensor : layout.specs()) {
            for (int i = 0; i < tensor.elementCount(); i++, at++) {
                if (resnet.spec().state().has(tensor.name())) {
                    assertThat(observed[at]).as(tensor.name()).isCloseTo(expected[at], within(1e-4f));
                    compared++;
                }
            }
        }
        assertThat(compared).isPositive();
    }

    @Test
    void shouldLeaveFrozenTensorsAsTheyAre() throws Exception {
        FakeParameterServer server = server(1, 3, "adamw", 0.001).freeze("conv1.*");

        train(server, 1);

        FrozenTensors frozen =
                FreezePatterns.parse("conv1.*").in(LAYOUT, LENET5.spec().state());
        TensorLayout trainable = frozen.trainable(LAYOUT);
        assertThat(server.pushes())
                .allSatisfy(push -> assertThat(push.tensors().layout().size()).isEqualTo(trainable.size()));
        float[] first = LENET5.initialParameters(SEED);
        float[] last = server.parameters().toFloats(LAYOUT);
        int at = 0;
        for (TensorSpec tensor : LAYOUT.specs()) {
            boolean isMoved = false;
            for (int i = 0; i < tensor.elementCount(); i++, at++) {
                isMoved |= first[at] != last[at];
            }
            assertThat(isMoved).as(tensor.name()).isNotEqualTo(frozen.has(tensor.name()));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldNeitherLoseNorDoubleASampleWhateverGoesWrong(long seed) throws Exception {
        Random random = new Random(seed);
        FakeParameterServer server = server(0.5, 2 + random.nextInt(3), "sgd", 0.05);
        FakeWork work = new FakeWork(2).with(file(SHARD), 50).with(file(TestShards.digits(20, 2)), 20);
        server.with(work);
        List<PushFault> faults = List.of(
                PushFault.stale(),
                PushFault.lostResponse(),
                PushFault.lostRequest(),
                PushFault.forgetWorkers(),
                PushFault.tooFarAhead(1),
                PushFault.busy());
        for (int i = 0; i < 8; i++) {
            server.next(faults.get(random.nextInt(faults.size()))).nextIsFine();
        }

        TrainingReport report = task(LENET5, 8, 1).runQueue(tools(server, LENET5, Clock.systemUTC(), () -> false), 0);

        assertThat(report.counted()).isEqualTo(140);
        assertThat(report.completed()).isTrue();
        long reached = 0;
        Cursor before = new Cursor(0, 0, 0);
        for (Cursor place : work.reached()) {
            reached += place.isInShardOf(before) ? place.sample() - before.sample() : place.sample();
            before = place;
        }
        assertThat(reached).isEqualTo(140);
    }

    @Test
    void shouldPushTheStepsSoFarWhenItIsToStop() throws Exception {
        FakeParameterServer server = server(1, 100, "sgd", 0.05);
        server.with(new FakeWork(1).with(file(SHARD), 50));
        AtomicInteger polls = new AtomicInteger();

        TrainingReport report = task(LENET5, 8, 1)
                .runQueue(tools(server, LENET5, Clock.systemUTC(), () -> polls.incrementAndGet() > 3), 0);

        assertThat(report.completed()).isFalse();
        assertThat(report.counted()).isEqualTo(report.samples()).isPositive();
        assertThat(server.pushes()).hasSize(1);
        assertThat(report.cursor().orElseThrow().sample()).isEqualTo(report.samples());
        assertThat(server.workers()).as("its shard is free at once").isEmpty();
    }

    @Test
    void shouldRenewItsLeaseWhileItComputes() throws Exception {
        FakeParameterServer server = server(1, 100, "sgd", 0.05);
        ManualClock clock = new ManualClock();
        // The lease is 30 s; each batch takes 4 s.
        BooleanSupplier stop = () -> {
            clock.advance(Duration.ofSeconds(4));
            return false;
        };

        task(LENET5, 8, 1)
                .runShard(tools(server, LENET5, clock, stop), file(SHARD).toString(), 1, 0);

        assertThat(server.versionCalls()).isEqualTo(2);
        assertThat(server.pushes()).hasSize(1);
    }

    @Test
    void shouldKeepTheInnerOptimizerOfItsLastActivation() throws Exception {
        FakeParameterServer server = server(1, 3, "adamw", 0.001);
        Tools tools = tools(server, LENET5, Clock.systemUTC(), () -> false);
        String shard = file(SHARD).toString();

        task(LENET5, 8, 1).runShard(tools, shard, 1, 0);
        task(LENET5, 8, 1).runShard(tools, shard, 1, 1);

        assertClose(server.parameters().toFloats(LAYOUT), trainedHere(OptimizerSpec.parse("adamw"), 0.001, 2));
    }

    @Test
    void shouldRefuseWhatItCannotDo() throws Exception {
        TrainingTask overlapping = new TrainingTask(
                PlainTraining.learning(8, 1, SEED),
                Optional.of(LENET5.spec().name()),
                PlainTraining.WORKER,
                new Transfer(Encodings.PLAIN, Encodings.PLAIN, true));
        Tools tools = tools(server(1, 3, "sgd", 0.1), LENET5, Clock.systemUTC(), () -> false);
        String shard = file(SHARD).toString();

        assertThatThrownBy(() -> overlapping.runShard(tools, shard, 1, 0))
                .isInstanceOf(TrainingFailedException.class)
                .hasMessage(
                        "the run makes 3 local steps between two pushes, so there is little to overlap; leave overlap out, or make one step");

        Tools unknown = tools(server(1, 3, "lion", 0.1), LENET5, Clock.systemUTC(), () -> false);
        assertThatThrownBy(() -> task(LENET5, 8, 1).runShard(unknown, shard, 1, 0))
                .isInstanceOf(TrainingFailedException.class)
                .hasMessageStartingWith("the server wants 3 local steps with 'lion': there is no optimizer 'lion'");
    }

    @Test
    void shouldEndWhereTheServerComesBackWithOtherLocalSteps() throws Exception {
        FakeParameterServer server = server(1, 3, "sgd", 0.1);
        server.next(PushFault.forgetWorkers());
        server.nextIsFine();
        AtomicInteger polls = new AtomicInteger();
        BooleanSupplier stop = () -> {
            if (polls.incrementAndGet() == 2) {
                server.askForLocalSteps(new LocalStepsTerms(4, "sgd", 0.1));
            }
            return false;
        };
        Tools tools = tools(server, LENET5, Clock.systemUTC(), stop);
        String shard = file(SHARD).toString();

        assertThatThrownBy(() -> task(LENET5, 8, 1).runShard(tools, shard, 1, 0))
                .isInstanceOf(TrainingFailedException.class)
                .hasMessage(
                        "the server's local steps are 4 with sgd and the learning rate 0.1 now, and were 3 with sgd and the learning rate 0.1 when this worker began: start the worker again");
    }
}
