package org.fleetgrad.e2e.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.fleetgrad.client.ParameterServers;
import org.fleetgrad.client.ParameterServers.InitialSet;
import org.fleetgrad.client.ProblemException;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.client.PullResult.Pulled;
import org.fleetgrad.client.PushResult;
import org.fleetgrad.client.PushResult.Applied;
import org.fleetgrad.client.PushResult.Buffered;
import org.fleetgrad.e2e.faults.PartitionedRun.Worker;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.encoding.Encodings;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.protocol.partition.Partitioning;
import org.fleetgrad.protocol.partition.Partitioning.Partition;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Several servers with a part of the parameters each, compared with one server that has all of them. */
@Order(4)
@Timeout(300)
@Tag("whole")
class PartitionedIT {

    private static final Gradients GRADIENTS = new Gradients(7, false);
    private static final Map<String, String> ASYNC =
            Map.of("PS_OPTIMIZER", "sgd:momentum=0.9", "PS_LEARNINGRATE", "0.05", "PS_LEASE", "5m");
    private static final Map<String, String> SYNC =
            Map.of("PS_MODE", "sync", "PS_OPTIMIZER", "sgd:momentum=0.9", "PS_LEARNINGRATE", "0.05", "PS_LEASE", "5m");
    private static final int STEPS = 20;

    private static ServerHost host;
    /** What one server comes to when it is asynchronous. */
    private static float[] ofOneServer;

    @TempDir
    private Path folder;

    @BeforeAll
    static void startHost(@TempDir Path own) throws Exception {
        host = new ServerHost(own.resolve("servers.log"));
        try (PartitionedRun one = run(own, 1, GRADIENTS, ASYNC).begun()) {
            ofOneServer = trainedBySteadyWorker(one);
        }
    }

    @AfterAll
    static void endHost() throws Exception {
        host.close();
    }

    /** Starts servers that no test can kill. */
    private static PartitionedRun run(Path folder, int count, Gradients gradients, Map<String, String> settings)
            throws IOException {
        return PartitionedRun.hosted(host, folder, count, gradients, settings);
    }

    @Test
    void shouldTrainToTheSameBitsAsOneServerWhenAsynchronous() throws Exception {
        for (int count = 2; count <= 3; count++) {
            try (PartitionedRun run = run(folder, count, GRADIENTS, ASYNC).begun()) {
                assertThat(trainedBySteadyWorker(run)).isEqualTo(ofOneServer);
            }
        }
    }

    private static float[] trainedBySteadyWorker(PartitionedRun run) throws Exception {
        Worker worker = run.new Worker("w");
        for (int step = 1; step <= STEPS; step++) {
            Applied applied = (Applied) worker.push();
            assertThat(applied.version()).isEqualTo(step);
            assertThat(applied.pulled())
                    .as("the parameters come with the answer")
                    .isPresent();
            worker.next();
        }
        return run.values();
    }

    @Test
    void shouldTrainToTheSameBitsAsOneServerWhenSynchronous() throws Exception {
        float[] expected = trainedInStep(1);

        assertThat(trainedInStep(2)).isEqualTo(expected);
        assertThat(trainedInStep(3)).isEqualTo(expected);
    }

    private float[] trainedInStep(int count) throws Exception {
        try (PartitionedRun run =
                run(folder.resolve("sync"), count, GRADIENTS, SYNC).begun()) {
            Worker a = run.new Worker("a");
            Worker b = run.new Worker("b");
            for (int step = 1; step <= STEPS; step++) {
                assertThat(a.push()).isEqualTo(new Buffered(step - 1, true, false));
                assertThat(b.push()).isInstanceOf(Applied.class);
                for (Worker worker : List.of(a, b)) {
                    assertThat(worker.next().parts())
                            .extracting(ParameterVersion::version)
                            .containsOnly((long) step);
                }
            }
            return run.values();
        }
    }

    @Test
    void shouldCountEachGradientOnceWhenOneServerIsKilled() throws Exception {
        try (PartitionedRun run = PartitionedRun.ofProcesses(folder.resolve("killed"), 2, GRADIENTS, ASYNC)
                        .begun();
                Background background = new Background()) {
            Worker worker = run.new Worker("w");
            for (int step = 1; step <= STEPS; step++) {
                ServerUnderTest server = run.process(step % 2);
                if (step % 5 == 0) {
                    server.kill();
                    CompletableFuture<PushResult> push = background.run(worker::push);
                    server.start();
                    assertThat(push.join()).isInstanceOf(Applied.class);
                } else {
                    worker.push();
                }
                assertThat(worker.again()).isInstanceOf(PushResult.Duplicate.class);
                worker.next();
            }
            assertThat(run.values()).isEqualTo(ofOneServer);
            assertThat(worker.client().lostParts()).isZero();
        }
    }

    /**
     * Encodings cut their blocks at the partitions, so bits differ from one server's; the residual comes with the next
     * gradient.
     */
    @Test
    void shouldComeCloseToOneServerWhenGradientsAndParametersAreOfOneByteAValue() throws Exception {
        float[] exact = ofOneServer;
        float[] initial = GRADIENTS.initial();
        try (PartitionedRun run = run(folder.resolve("i8"), 2, GRADIENTS, ASYNC).begun()) {
            Worker worker = run.new Worker("w", Encodings.parse("i8"), Encodings.parseOfParameters("bf16"));
            long plain = 4L * Gradients.size();
            for (int step = 1; step <= STEPS; step++) {
                Applied applied = (Applied) worker.push();
                assertThat(applied.pulled().orElseThrow().bytes()).isEqualTo(plain / 2);
                worker.next();
            }
            float[] values = run.values();
            double error = 0;
            double way = 0;
            for (int i = 0; i < values.length; i++) {
                error += Math.pow(values[i] - exact[i], 2);
                way += Math.pow(exact[i] - initial[i], 2);
            }
            assertThat(Math.sqrt(error / way)).isLessThan(0.01);
            assertThat(error).as("it is another arithmetic").isPositive();
        }
    }

    @Test
    void shouldTellNoOtherServerOfAGradientThatTheLeadRefuses() throws Exception {
        try (PartitionedRun run = run(folder, 2, GRADIENTS, SYNC).begun()) {
            Worker worker = run.new Worker("a");
            worker.push();

            assertThat(worker.push()).isInstanceOf(PushResult.Stale.class);

            assertThat(run.server(1).client().status().pushes().values().stream()
                            .mapToLong(Long::longValue)
                            .sum())
                    .isEqualTo(1);
        }
    }

    @Test
    void shouldTellNoOtherServerOfAGradientThatOneRefusesForItsValues() throws Exception {
        try (PartitionedRun run = run(folder, 2, GRADIENTS, ASYNC).begun()) {
            Worker worker = run.new Worker("a");
            worker.push();
            float[] gradient = GRADIENTS.of("a", 2);
            gradient[gradient.length - 1] = Float.NaN;

            worker.skip();
            PushResult result = worker.push(gradient);

            assertThat(result).isInstanceOf(PushResult.Rejected.class);
            assertThat(run.server(0).client().version().version()).isEqualTo(1);
        }
    }

    @Test
    void shouldLetAWorkerBeginWhileTheServersAreInTheMiddleOfAStep() throws Exception {
        try (PartitionedRun run = run(folder, 2, GRADIENTS, SYNC).begun();
                Background background = new Background()) {
            Worker a = run.new Worker("a");
            Worker b = run.new Worker("b");
            a.push();
            assertThat(pushPart(run, 0, "b", b.base())).isInstanceOf(Applied.class);
            CompletableFuture<Worker> joiner = background.run(() -> run.new Worker("joiner"));
            await().until(() -> run.server(1).client().status().workers().size() == 3);

            // The lead has made the step without the new worker; the other server must not wait for it.
            pushPart(run, 1, "b", b.base());
            Worker joined = joiner.join();

            assertThat(joined.base().parts())
                    .extracting(ParameterVersion::version)
                    .containsOnly(1L);
            a.next();
            b.next();
            a.push();
            joined.push();
            b.skip();
            assertThat(b.push()).isInstanceOf(Applied.class);
            assertThat(joined.next().parts())
                    .extracting(ParameterVersion::version)
                    .containsOnly(2L);
        }
    }

    @Test
    void shouldComeToOneVersionWhenAWorkerDiesBetweenTwoServers() throws Exception {
        Map<String, String> settings = new HashMap<>(SYNC);
        settings.put("PS_LEASE", "10s");
        try (PartitionedRun run = run(folder, 2, GRADIENTS, settings).begun()) {
            Worker dying = run.new Worker("dying");
            assertThat(pushPart(run, 0, "dying", dying.base())).isInstanceOf(Applied.class);
            assertThat(run.server(0).client().version().version()).isEqualTo(1);
            assertThat(run.server(1).client().version().version()).isZero();

            Worker next = run.new Worker("next");

            assertThat(next.base().parts())
                    .extracting(ParameterVersion::version)
                    .containsOnly(1L);
            float[] initial = GRADIENTS.initial();
            float[] values = next.base().parameters().toFloats(Gradients.LAYOUT);
            Partition second = Partitioning.of(Gradients.LAYOUT, 2).partitions().get(1);
            assertThat(values[0]).as("counts at the lead").isNotEqualTo(initial[0]);
            assertThat(values[second.begin()]).as("and not where it never came").isEqualTo(initial[second.begin()]);
        }
    }

    /** Pushes a worker's first gradient to one server only, as a worker does that dies after that push. */
    private static PushResult pushPart(PartitionedRun run, int index, String worker, Pulled base) throws IOException {
        Partition part = Partitioning.of(Gradients.LAYOUT, 2).partitions().get(index);
        float[] gradient = Arrays.copyOfRange(GRADIENTS.of(worker, 1), part.begin(), part.begin() + part.length());
        ParameterVersion version = base.parts().get(index);
        return run.server(index)
                .client()
                .push(
                        new GradientMetadata(
                                worker, 1, version.generation(), version.version(), GRADIENTS.samples(worker, 1), 1.0),
                        part.layout(),
                        gradient,
                        false);
    }

    @Test
    void shouldGoOnWithTheSetThatADeadWorkerHasBegun() throws Exception {
        Gradients others = new Gradients(8, false);
        TensorSet begun = PartitionedRun.initial(others);
        try (PartitionedRun run = run(folder, 3, GRADIENTS, ASYNC)) {
            PsClient lead = run.client().lead();
            lead.putInitial(Partitioning.of(Gradients.LAYOUT, 3).split(begun).get(0));

            run.client().putInitial(new Seeds() {
                @Override
                public Optional<TensorSet> like(Map<String, String> metadata) {
                    return Optional.of(begun);
                }
            });

            assertThat(run.values()).isEqualTo(others.initial());
        }
    }

    @Test
    void shouldSayThatOtherParametersWereBegunWithWhenTheyCannotBeMade() throws Exception {
        TensorSet begun = PartitionedRun.initial(new Gradients(8, false));
        try (PartitionedRun run = run(folder, 2, GRADIENTS, ASYNC)) {
            run.client()
                    .lead()
                    .putInitial(
                            Partitioning.of(Gradients.LAYOUT, 2).split(begun).get(0));

            assertThatThrownBy(() -> run.client().putInitial(new Seeds()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("has no parameters, and the run was begun elsewhere with others");
        }
    }

    @Test
    void shouldBeginWithOneSetWhenWorkersRaceWithTwo() throws Exception {
        Gradients others = new Gradients(8, false);
        try (PartitionedRun run = run(folder, 3, GRADIENTS, ASYNC);
                Background background = new Background()) {
            TensorSet mine = PartitionedRun.initial(GRADIENTS);
            TensorSet theirs = PartitionedRun.initial(others);
            CompletableFuture<Boolean> first = background.run(() -> begin(run, mine));
            CompletableFuture<Boolean> second = background.run(() -> begin(run, theirs));
            first.join();
            second.join();

            assertThat(run.values()).isIn(GRADIENTS.initial(), others.initial());
        }
    }

    private static boolean begin(PartitionedRun run, TensorSet set) throws IOException {
        run.client().putInitial(() -> set);
        return true;
    }

    @Test
    void shouldCountAGradientNowhereWhenAServerComesBackWithoutItsHistory() throws Exception {
        Map<String, String> settings = new HashMap<>(ASYNC);
        settings.put("PS_DURABILITY_MODE", "none");
        try (PartitionedRun run =
                PartitionedRun.ofProcesses(folder, 2, GRADIENTS, settings).begun()) {
            Worker worker = run.new Worker("w");
            worker.push();
            Pulled before = worker.next();
            run.process(1).kill();
            run.process(1).start();

            assertThat(worker.push())
                    .as("the server is asked before the lead, so the gradient counts nowhere")
                    .isInstanceOf(PushResult.NotInitialized.class);

            assertThat(worker.client().lostParts()).isZero();
            worker.client().putInitial(before::parameters);
            Pulled after = (Pulled) worker.client().pull();
            Partition second = Partitioning.of(Gradients.LAYOUT, 2).partitions().get(1);
            assertThat(after.parameters().toFloats(Gradients.LAYOUT)[second.begin()])
                    .isEqualTo(before.parameters().toFloats(Gradients.LAYOUT)[second.begin()]);
            assertThat(after.parts().get(0).version()).isEqualTo(1);
            assertThat(after.parts().get(1).version()).isZero();
        }
    }

    @Test
    void shouldSayWhichServerIsInTheWrongPlace() throws Exception {
        try (PartitionedRun run = run(folder, 2, GRADIENTS, ASYNC).begun()) {
            List<PsClient> swapped =
                    List.of(run.client().all().get(1), run.client().all().get(0));

            assertThatThrownBy(() -> ParameterServers.of(swapped).pull())
                    .hasMessageContaining("http://127.0.0.1:%d has partition 1/2, where partition 0/2 is expected"
                            .formatted(run.server(1).port()));
        }
    }

    @Test
    void shouldForgetAWorkerEverywhereWhenItLeaves() throws Exception {
        try (PartitionedRun run = run(folder, 2, GRADIENTS, ASYNC).begun()) {
            Worker worker = run.new Worker("w");
            assertThat(run.server(1).client().status().workers()).hasSize(1);

            worker.client().unregister("w");

            assertThat(run.server(0).client().status().workers()).isEmpty();
            assertThat(run.server(1).client().status().workers()).isEmpty();
            assertThatThrownBy(() -> worker.client().unregister("w"))
                    .isInstanceOfSatisfying(
                            ProblemException.class,
                            refused ->
                                    assertThat(refused.problem().rule()).isEqualTo(ProblemKind.UNKNOWN_WORKER.rule()));
        }
    }

    /** A worker that can make only the parameters of its own seed. */
    private static class Seeds implements InitialSet {
        @Override
        public TensorSet own() {
            return PartitionedRun.initial(GRADIENTS);
        }
    }
}
