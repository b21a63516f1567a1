package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.datasets.shard.ShardSet;
import org.fleetgrad.datasets.synth.SyntheticDigits;
import org.fleetgrad.files.retry.Sleeper;
import org.fleetgrad.openwhisk.ActionDefinition;
import org.fleetgrad.openwhisk.ActionDefinition.ActionLimits;
import org.fleetgrad.openwhisk.ActivationEnd;
import org.fleetgrad.openwhisk.OpenWhiskClient;
import org.fleetgrad.openwhisk.OpenWhiskEnvironment;
import org.fleetgrad.openwhisk.fake.FakeOpenWhisk;
import org.fleetgrad.openwhisk.fake.FakeSettings;
import org.fleetgrad.openwhisk.pacing.ActivationRunner;
import org.fleetgrad.openwhisk.pacing.ActivationRunner.Timeouts;
import org.fleetgrad.openwhisk.pacing.RunOutcome;
import org.fleetgrad.openwhisk.pacing.Throttle;
import org.fleetgrad.protocol.messages.RunMessages.StatusReply;
import org.fleetgrad.protocol.work.WorkPlan;
import org.fleetgrad.protocol.work.WorkPlan.PlannedShard;
import org.fleetgrad.testing.FreePorts;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A fake controller invokes worker processes, freezes them between activations, and loses one. */
@Timeout(300)
@Tag("whole")
class OpenWhiskRunIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    /** So many that the activation that dies is in the middle of them. */
    private static final int EPOCHS = 40;

    @TempDir
    private Path folder;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private URI address;
    private PsClient reader;
    private ShardSet shards;
    private JarProcess server;
    private WorkerProcesses workers;
    private FakeOpenWhisk openwhisk;
    private ActivationRunner runner;

    @BeforeEach
    void start() throws Exception {
        shards = ShardSet.write(
                folder.resolve("shards"),
                "digits",
                SyntheticDigits.generate(640, 1),
                SyntheticDigits.generate(64, 2),
                2);
        address = URI.create("http://127.0.0.1:" + FreePorts.next());
        server = JarProcess.start(
                "ps-service",
                folder.resolve("ps-service.log"),
                Map.of("SERVER_PORT", Integer.toString(address.getPort())));
        workers = new WorkerProcesses(folder);
        openwhisk = new FakeOpenWhisk(
                FakeSettings.STANDALONE.withTimes(Duration.ofMinutes(1), Duration.ofMillis(200)), workers);
        OpenWhiskClient client =
                OpenWhiskEnvironment.read(openwhisk.environment()).client();
        client.putAction(ActionDefinition.of(
                "worker", "fleetgrad/worker:test", new ActionLimits(Duration.ofMinutes(2), 256, 1)));
        Random random = new Random(1);
        Throttle throttle = new Throttle(client.limits(), Clock.systemUTC(), Sleeper.THREAD, random, line -> {});
        runner = new ActivationRunner(client, throttle, Clock.systemUTC(), Sleeper.THREAD, random);
        reader = new PsClient(address, ClientOptions.DEFAULT);
        await().atMost(TIMEOUT).ignoreExceptions().until(() -> reader.version().version() == 0);
    }

    @AfterEach
    void end() throws InterruptedException {
        threads.shutdownNow();
        openwhisk.close();
        server.kill();
    }

    private Future<RunOutcome> activation(int shard, int epochs) {
        Map<String, Object> parameters = Map.of(
                "apihost",
                address.toString(),
                "dataset_url",
                shards.train().get(shard).toString(),
                "epoch_n",
                epochs,
                "update_intv",
                1);
        return threads.submit(
                () -> runner.run("worker", parameters, new Timeouts(TIMEOUT, TIMEOUT), id -> {}, () -> false));
    }

    private static RunOutcome.Ended succeeded(Future<RunOutcome> activation) throws Exception {
        RunOutcome outcome = activation.get();
        assertThat(outcome).isInstanceOf(RunOutcome.Ended.class);
        RunOutcome.Ended ended = (RunOutcome.Ended) outcome;
        assertThat(ended.end()).isInstanceOf(ActivationEnd.Success.class);
        return ended;
    }

    @Test
    void shouldTrainInTwoContainersAndGoOnInOneThatWasFrozen() throws Exception {
        List<Future<RunOutcome>> activations = new ArrayList<>(List.of(activation(0, 1), activation(1, 1)));
        for (Future<RunOutcome> activation : activations) {
            RunOutcome.Ended ended = succeeded(activation);
            assertThat(ended.record().isCold()).isTrue();
            assertThat(ended.record().result().path("samples").asLong()).isEqualTo(320);
        }
        await().atMost(TIMEOUT)
                .until(() -> workers.events().stream()
                                .filter(event -> event.startsWith("STOP"))
                                .count()
                        == 2);

        RunOutcome.Ended warm = succeeded(activation(0, 1));

        assertThat(warm.record().isCold()).isFalse();
        assertThat(warm.record().result().path("warm").asBoolean()).isTrue();
        assertThat(workers.events().stream().filter(event -> event.startsWith("start")))
                .hasSize(2);
        assertThat(workers.events().stream().filter(event -> event.startsWith("CONT")))
                .hasSize(1);
        assertThat(reader.status().samples()).isEqualTo(3 * 320);
        openwhisk.close();
        assertThat(workers.isAnyAlive()).isFalse();
    }

    @Test
    void shouldTellThatAContainerDiedAndRunTheNextInAnother() throws Exception {
        Future<RunOutcome> doomed = activation(0, 1_000_000);
        await().atMost(TIMEOUT).until(() -> version() > 0);
        workers.endProcess("wsk1_guest_worker");

        assertThat(doomed.get())
                .isInstanceOfSatisfying(
                        RunOutcome.Ended.class,
                        ended -> assertThat(ended.end())
                                .isEqualTo(new ActivationEnd.ContainerDied(
                                        false,
                                        "The action did not produce a valid response and exited unexpectedly.")));

        assertThat(succeeded(activation(1, 1)).record().isCold()).isTrue();
        assertThat(workers.events()).contains("start wsk2_guest_worker");
    }

    /** The lease is 30 s, and the activation has no time to wait for its end: it takes its own place at once. */
    @Test
    void shouldCountEverySampleOnceWhenAWarmContainerDiesAndItsActivationRunsAgain() throws Exception {
        List<PlannedShard> work = IntStream.range(0, 2)
                .mapToObj(i -> new PlannedShard(
                        "shard-" + i,
                        shards.train().get(i).toUri().toString(),
                        shards.samples().get(i)))
                .toList();
        reader.putWork(new WorkPlan("digits", EPOCHS, work));
        succeeded(queued("first", 1));

        Future<RunOutcome> again = queued("w", 0);
        await().atMost(TIMEOUT)
                .until(() -> reader.status().workers().stream()
                        .anyMatch(worker -> worker.id().equals("w") && worker.applied() > 5));
        workers.endProcess("wsk1_guest_worker");
        RunOutcome.Ended ended = succeeded(again);

        assertThat(ended.record().isCold())
                .as("the record is that of the second try")
                .isTrue();
        assertThat(workers.events()).contains("start wsk2_guest_worker");
        assertThat(openwhisk.records()).as("one for each activation").hasSize(2);
        assertThat(ended.record().result().path("work").asString()).isEqualTo("done");
        assertThat(ended.record().result().path("worker").asString()).isEqualTo("w");
        assertThat(ended.record().result().path("earlier_seconds").asDouble())
                .as("since the first try registered")
                .isPositive()
                .isLessThan(30);
        StatusReply status = reader.status();
        assertThat(status.samples()).isEqualTo(640L * EPOCHS);
        StatusReply.Work done = Optional.ofNullable(status.work()).orElseThrow();
        assertThat(done.samples()).isEqualTo(640L * EPOCHS);
        assertThat(done.done()).isTrue();
    }

    private Future<RunOutcome> queued(String worker, int limit) {
        Map<String, Object> parameters = Map.of(
                "apihost", address.toString(), "shards", "queue", "shard_n", limit, "update_intv", 1, "worker", worker);
        return threads.submit(
                () -> runner.run("worker", parameters, new Timeouts(TIMEOUT, TIMEOUT), id -> {}, () -> false));
    }

    private long version() throws IOException {
        return reader.version().version();
    }
}
