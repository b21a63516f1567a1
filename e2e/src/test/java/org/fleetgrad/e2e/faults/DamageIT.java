package org.fleetgrad.e2e.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.fleetgrad.client.PullResult.Pulled;
import org.fleetgrad.client.PushResult;
import org.fleetgrad.protocol.ProblemKind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A killed server's files are damaged before it starts again with its journal. */
@Tag("whole")
class DamageIT {

    private static final TrainingSetup SETUP = TrainingSetup.adam(TrainingSetup.Mode.ASYNC);
    private static final int VERSIONS = 56;

    @TempDir
    private static Path original;

    private static SteadyWorker worker;
    private static Oracle.Served last;

    @TempDir
    private Path folder;

    private KeptFiles files;
    private ServerUnderTest server;

    private static Map<String, String> settings() {
        Map<String, String> settings = new HashMap<>(SETUP.environment());
        settings.put("PS_DURABILITY_CHECKPOINTVERSIONS", "16");
        return settings;
    }

    @BeforeAll
    static void trainAndKill() throws Exception {
        worker = new SteadyWorker(new Gradients(7, false));
        try (ServerUnderTest server = new ServerUnderTest(original.resolve("run"), settings())) {
            server.start();
            worker.begin(server);
            worker.push(server, VERSIONS);
            last = Oracle.Served.pull(server);
            awaitCheckpoint(server, VERSIONS - 16);
            server.kill();
        }
    }

    private static void awaitCheckpoint(ServerUnderTest server, int atLeast) {
        await().atMost(Duration.ofMinutes(1))
                .until(() -> server.log()
                        .lines()
                        .filter(line -> line.contains(" taken: version "))
                        .map(line -> line.replaceAll(".* taken: version (\\d+),.*", "$1"))
                        .anyMatch(version -> Integer.parseInt(version) >= atLeast));
    }

    @BeforeEach
    void copy() throws Exception {
        new KeptFiles(original.resolve("run")).copyTo(folder.resolve("run"));
        files = new KeptFiles(folder.resolve("run"));
        server = new ServerUnderTest(files.folder(), settings());
    }

    @AfterEach
    void end() {
        server.close();
    }

    @Test
    void shouldCutOffGarbageAfterTheLastEntry() throws Exception {
        Files.write(files.lastSegment(), new byte[] {77, 1, 0, 0, 3, 4, 5, 6, 7, 8, 9}, StandardOpenOption.APPEND);

        server.start();

        requireSameAsBefore();
        assertThat(server.log()).contains("the journal has a torn tail").contains("11 bytes");
    }

    @Test
    void shouldCutOffTheLastEntryWhenItIsTornInTheMiddle() throws Exception {
        Path segment = files.lastSegment();
        List<Integer> entries = KeptFiles.entries(segment);
        int begin = entries.get(entries.size() - 2);
        int end = entries.get(entries.size() - 1);
        byte[] bytes = Files.readAllBytes(segment);
        Files.write(segment, Arrays.copyOf(bytes, begin + (end - begin) / 2));

        server.start();

        // The files equal those of a server that was killed before it answered the last push.
        Oracle.Served served = Oracle.Served.pull(server);
        assertThat(served.version().generation()).isEqualTo(last.version().generation());
        assertThat(served.version().version()).isEqualTo(VERSIONS - 1);
        assertThat(served.values()).containsExactly(worker.values(VERSIONS - 1));
        assertThat(server.log()).contains("the journal has a torn tail");
        assertThat(worker.push(server, (long) VERSIONS))
                .isInstanceOfSatisfying(
                        PushResult.Applied.class,
                        applied -> assertThat(applied.version()).isEqualTo(VERSIONS));
        Oracle.Served again = Oracle.Served.pull(server);
        assertThat(again.bytes()).isEqualTo(last.bytes());
        server.kill();
        server.start();
        requireSameAsBefore();
    }

    @Test
    void shouldComeToTheSameBitsByTheOlderCheckpointWhenTheNewestIsDamaged() throws Exception {
        Path newest = files.newestCheckpoint();
        Path damaged = newest.resolve("parameters.safetensors");
        KeptFiles.flip(damaged, (int) Files.size(damaged) - 100);

        server.start();

        requireSameAsBefore();
        assertThat(server.log())
                .contains("skipped a damaged checkpoint")
                .contains(newest.getFileName() + "/parameters.safetensors");
        assertThat(worker.push(server, (long) VERSIONS)).isInstanceOf(PushResult.Duplicate.class);
    }

    @Test
    void shouldBeginAnotherGenerationWhenTheJournalIsDamagedInTheMiddle() throws Exception {
        Path segment = files.lastSegment();
        List<Integer> entries = KeptFiles.entries(segment);
        assertThat(entries).hasSizeGreaterThan(3);
        KeptFiles.flip(segment, entries.get(entries.size() - 3) + 60);

        server.start();

        requireAnotherGenerationAt(VERSIONS - 2);
        assertThat(server.log()).contains("the journal is damaged").contains(segment.toString());
        requireWorkersGoOn();
    }

    @Test
    void shouldBeginAnotherGenerationWhenTheJournalIsGone() throws Exception {
        for (Path segment : files.segments()) {
            Files.delete(segment);
        }
        int checkpoint =
                Integer.parseInt(Files.readString(files.newestCheckpoint().resolve("manifest.json"))
                        .replaceAll("(?s).*\"version\"\\s*:\\s*(\\d+).*", "$1"));

        server.start();

        requireAnotherGenerationAt(checkpoint);
        assertThat(server.log()).contains(".journal is missing and its entries are lost");
        requireWorkersGoOn();
    }

    @Test
    void shouldKeepASecondServerAwayFromTheFolder() throws Exception {
        server.start();
        try (ServerUnderTest second = new ServerUnderTest(files.folder(), settings())) {
            assertThat(second.startInVain()).isNotZero();
            assertThat(second.log())
                    .contains(files.folder() + " is used by another parameter server; give each run its own folder");
        }

        requireSameAsBefore();
        assertThat(worker.push(server, (long) VERSIONS)).isInstanceOf(PushResult.Duplicate.class);
    }

    @Test
    void shouldRefuseToStartWithAnotherOptimizerAndSayWhatToWrite() throws Exception {
        server.set("PS_OPTIMIZER", "adam:beta1=0.8,weight-decay=0.01");

        assertThat(server.startInVain()).isNotZero();

        assertThat(server.log())
                .contains("optimizer adam:weight-decay=0.01")
                .contains("optimizer adam:beta1=0.8,weight-decay=0.01")
                .contains("restore the old settings, or");
        server.set("PS_OPTIMIZER", "adam:weight-decay=0.01");
        server.start();
        requireSameAsBefore();
    }

    private void requireSameAsBefore() throws IOException, InterruptedException {
        Oracle.Served served = Oracle.Served.pull(server);
        assertThat(served.etag()).isEqualTo(last.etag());
        assertThat(served.bytes()).isEqualTo(last.bytes());
    }

    private void requireAnotherGenerationAt(int version) throws IOException, InterruptedException {
        Oracle.Served served = Oracle.Served.pull(server);
        assertThat(served.version().generation()).isNotEqualTo(last.version().generation());
        assertThat(served.version().version()).isEqualTo(version);
        assertThat(served.values()).containsExactly(worker.values(version));
        assertThat(server.log()).contains("a new generation begins");
    }

    /** A gradient of the lost history is dropped, and its worker learns that; the next one counts. */
    private void requireWorkersGoOn() throws IOException, InterruptedException {
        long number = VERSIONS + 1;
        Pulled newest = (Pulled) server.client().pull();
        Pulled lost = new Pulled(last.version(), newest.parameters());
        PushResult ofLostHistory = server.client()
                .push(
                        worker.metadata(number, lost),
                        Gradients.LAYOUT,
                        worker.gradients().of(SteadyWorker.ID, number),
                        false);
        assertThat(ofLostHistory)
                .isInstanceOfSatisfying(
                        PushResult.Stale.class,
                        stale -> assertThat(stale.problem().rule()).isEqualTo(ProblemKind.OTHER_GENERATION.rule()));
        assertThat(worker.push(server, number)).isInstanceOf(PushResult.Applied.class);
        Oracle.Served before = Oracle.Served.pull(server);
        server.kill();
        server.start();
        assertThat(Oracle.Served.pull(server).bytes()).isEqualTo(before.bytes());
    }
}
