package org.fleetgrad.e2e.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.fleetgrad.client.PullResult.Pulled;
import org.fleetgrad.e2e.faults.TrainingSetup.Mode;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.testing.Requirement;
import org.fleetgrad.testing.SmallDisk;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server's disk becomes full. */
@Order(12)
@Tag("whole")
class FullDiskIT {

    private static final TrainingSetup SETUP = TrainingSetup.sgd(Mode.ASYNC);
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    @TempDir
    private Path folder;

    private final List<SmallDisk> disks = new ArrayList<>();
    private final SteadyWorker worker = new SteadyWorker(new Gradients(13, false));
    private final Oracle oracle = new Oracle(SETUP, worker.gradients(), worker.acknowledgements(), new Tally());

    @AfterEach
    void unmount() throws Exception {
        for (SmallDisk disk : disks) {
            disk.close();
        }
    }

    private ServerUnderTest server(Path run, String setting, String value) throws Exception {
        Map<String, String> settings = new HashMap<>(SETUP.environment());
        settings.put(setting, value);
        return new ServerUnderTest(run, folder.resolve("log"), settings);
    }

    @Test
    void shouldRefuseWhatAFullDiskDoesNotTakeAndGoOnWhenThereIsSpaceAgain() throws Exception {
        Path disk = mountSmallDisk();
        try (ServerUnderTest server = server(disk.resolve("run"), "PS_DURABILITY_CHECKPOINTVERSIONS", "40")) {
            server.start();
            worker.begin(server);
            worker.push(server, 10);

            Path ballast = fill(disk);
            pushUntilRefused(server);

            HttpResponse<byte[]> refused = pushRaw(server);
            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.headers().firstValue("Content-Type").orElse("")).startsWith("application/problem+json");
            assertThat(new String(refused.body(), StandardCharsets.UTF_8))
                    .contains("urn:fleetgrad:problem:not-durable")
                    .contains("No space left on device");
            assertThat(server.client().status().writeFailure())
                    .startsWith("the journal cannot be written: ")
                    .contains("No space left on device; ", " bytes are free in ", "gradients are refused until it can");
            requireRight(server);

            Files.delete(ballast);
            worker.push(server, 100);
            assertThat(server.client().status().writeFailure()).isNull();
            requireRight(server);
            server.kill();
            server.start();
            requireRight(server);
        }
    }

    @Test
    void shouldStartAgainWhenTheDiskHasSpaceAgain() throws Exception {
        Path disk = mountSmallDisk();
        try (ServerUnderTest server = server(disk.resolve("run"), "PS_DURABILITY_CHECKPOINTINTERVAL", "1s")) {
            Path ballast = fillUntilACheckpointFails(server, disk);

            server.kill();
            assertThat(server.startInVain()).isNotZero();
            assertThat(server.log()).contains("APPLICATION FAILED TO START");
            assertThat(server.log().substring(server.log().lastIndexOf("APPLICATION FAILED TO START")))
                    .contains("No space left on device");

            Files.delete(ballast);
            server.start();
            requireRight(server);
        }
    }

    @Test
    void shouldNeedNothingThatAFullDiskDidNotTakeWhenTheNewestCheckpointIsDamaged() throws Exception {
        Path disk = mountSmallDisk();
        try (ServerUnderTest server = server(disk.resolve("run"), "PS_DURABILITY_CHECKPOINTINTERVAL", "1s")) {
            Path ballast = fillUntilACheckpointFails(server, disk);
            requireRight(server);

            Files.delete(ballast);
            KeptFiles files = new KeptFiles(server.folder());
            await().atMost(TIMEOUT).until(() -> files.checkpoints().size() == 2);
            worker.push(server, 5);
            server.kill();
            KeptFiles.flip(files.newestCheckpoint().resolve("parameters.safetensors"), 500);
            server.start();
            requireRight(server);
        }
    }

    @Test
    void shouldGoOnAtTheNextCheckpointWhenTheJournalMayNotGrow() throws Exception {
        Requirement.TMPFS.check(SmallDisk.run("prlimit", "--version") == 0, "prlimit does not run");
        try (ServerUnderTest server = server(folder.resolve("run"), "PS_DURABILITY_CHECKPOINTINTERVAL", "2s")) {
            // Longer files fail with EFBIG, as on a full disk.
            server.wrap(List.of("prlimit", "--fsize=120000"));
            server.start();
            worker.begin(server);

            for (int round = 0; round < 3; round++) {
                pushUntilRefused(server);
                assertThat(new String(pushRaw(server).body(), StandardCharsets.UTF_8))
                        .contains("urn:fleetgrad:problem:not-durable")
                        .contains("File too large");
                await().atMost(TIMEOUT).until(() -> pushRaw(server).statusCode() == 200);
                worker.taken(server);
            }

            requireRight(server);
            server.kill();
            server.start();
            requireRight(server);
        }
    }

    /** Starts a run, and fills its disk while it runs. */
    private Path fillUntilACheckpointFails(ServerUnderTest server, Path disk) throws Exception {
        server.start();
        worker.begin(server);
        worker.push(server, 10);
        Path ballast = fill(disk);
        pushUntilRefused(server);
        await().atMost(TIMEOUT).until(() -> server.log().contains("a checkpoint could not be written"));
        return ballast;
    }

    private Path mountSmallDisk() throws IOException, InterruptedException {
        disks.add(SmallDisk.mount(folder.resolve("disk"), "2m"));
        return disks.get(0).folder();
    }

    /** Fills a file system with a file, and returns it. */
    private static Path fill(Path disk) throws IOException {
        Path ballast = disk.resolve("ballast");
        FileStore store = Files.getFileStore(disk);
        try (var out = Files.newOutputStream(ballast)) {
            while (store.getUsableSpace() > 0) {
                out.write(new byte[4096]);
            }
        }
        return ballast;
    }

    /** Pushes until the remaining disk blocks are used up; gradients before that are accepted. */
    private void pushUntilRefused(ServerUnderTest server) throws Exception {
        while (pushRaw(server).statusCode() == 200) {
            worker.taken(server);
        }
    }

    private HttpResponse<byte[]> pushRaw(ServerUnderTest server) throws IOException, InterruptedException {
        long number = worker.next();
        TensorSet gradient = TensorSet.ofFloats(
                Gradients.LAYOUT,
                worker.gradients().of(SteadyWorker.ID, number),
                worker.metadata(number, (Pulled) server.client().pull()).toMap());
        ByteBuffer body = Safetensors.encode(gradient);
        byte[] bytes = new byte[body.remaining()];
        body.get(bytes);
        return server.direct().post(Routes.PUT_GRADIENT, bytes);
    }

    private void requireRight(ServerUnderTest server) throws IOException, InterruptedException {
        oracle.check(server, "on a disk that was full");
    }
}
