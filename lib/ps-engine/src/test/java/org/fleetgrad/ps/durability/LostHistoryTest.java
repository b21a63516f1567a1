package org.fleetgrad.ps.durability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.ps.outcome.PushOutcome.Applied;
import org.fleetgrad.ps.outcome.PushOutcome.Reason;
import org.fleetgrad.ps.outcome.PushOutcome.Refused;
import org.fleetgrad.ps.run.Lifecycle.Precondition;
import org.fleetgrad.ps.training.TrainingRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files are damaged or missing: the same generation continues only if nothing is lost. */
@Timeout(60)
class LostHistoryTest {

    private static final DurabilitySettings EVERY_SECOND =
            new DurabilitySettings(true, Duration.ofSeconds(1), 0, OptionalLong.of(1L << 40), 9);

    @TempDir(factory = InMemory.class)
    private Path folder;

    private final DurableRun durable = new DurableRun(TrainingRun.plain(new TrainingMode.Async(1), 64));

    /** Makes three pushes after checkpoint 2 and kills the server; each push subtracts from w. */
    private Path killed() {
        try (TrainingRun run =
                durable.open(EVERY_SECOND, folder.resolve("run")).startingAt(0).withWorkers("a")) {
            run.push("a", 1, 0, 2);
            durable.checkpoints().clear();
            run.clock().advance(Duration.ofSeconds(1));
            run.push("a", 2, 1, 2);
            assertThat(durable.checkpoints().taken().number()).isEqualTo(2);
            run.push("a", 3, 2, 2);
            run.push("a", 4, 3, 2);
            return DurableRun.copy(folder.resolve("run"), folder.resolve("killed"));
        }
    }

    private static void damage(Path file, long at) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[(int) (at < 0 ? bytes.length + at : at)] ^= 1;
        Files.write(file, bytes);
    }

    private static Path segment(Path location, int number) {
        return location.resolve("journal").resolve("segment-%06d.journal".formatted(number));
    }

    private static void assertServes(TrainingRun run, String generation, long version, float value) {
        assertThat(run.published().version().orElseThrow()).hasToString(generation + "-" + version);
        assertThat(run.values()).containsExactly(value);
    }

    @Test
    void shouldComeToTheSameFromTheOlderCheckpointAndTheLongerJournal() throws IOException {
        Path location = killed();
        damage(location.resolve("checkpoint-000002/state.safetensors"), 3);

        try (TrainingRun run = durable.open(DurableRun.JOURNAL, location)) {
            assertServes(run, "g1", 4, -4);
        }
    }

    @Test
    void shouldBeginAGenerationWhereASegmentIsGone() throws IOException {
        Path location = killed();
        Files.delete(segment(location, 2));

        try (TrainingRun run = durable.open(DurableRun.JOURNAL, location)) {
            assertServes(run, "g3", 2, -2);
            assertThat(run.push("a", 3, 2, 2))
                    .isEqualTo(new Refused(
                            Reason.OTHER_GENERATION,
                            "the gradient is of generation 'g1', the server's is 'g3': pull and go on"));
            assertThat(run.push(TrainingRun.metadata("a", 3, "g3", 2, 1), 2)).isEqualTo(new Applied(3, 0));
        }
        try (TrainingRun run = durable.open(DurableRun.JOURNAL, location)) {
            assertServes(run, "g3", 3, -3);
        }
    }

    @Test
    void shouldBeginAGenerationWhereTheJournalIsDamagedInTheMiddle() throws IOException {
        Path location = killed();
        long length = Files.size(segment(location, 2));
        damage(segment(location, 2), length - 60 - JournalSegment.FRAME_BYTES);

        try (TrainingRun run = durable.open(DurableRun.JOURNAL, location)) {
            assertThat(run.training().generation()).isEqualTo("g3");
            assertThat(run.version()).isBetween(2L, 3L);
        }
    }

    @Test
    void shouldBeginAGenerationWhereAHeaderIsDamagedBeforeEntries() throws IOException {
        Path location = killed();
        damage(location.resolve("checkpoint-000002/state.safetensors"), 3);
        damage(segment(location, 2), 20);

        try (TrainingRun run = durable.open(DurableRun.JOURNAL, location)) {
            assertServes(run, "g3", 2, -2);
        }
    }

    @Test
    void shouldBeginAGenerationWhereAnAcknowledgedParameterSetIsDamaged() throws IOException {
        Path location;
        try (TrainingRun run = durable.open(DurableRun.JOURNAL, folder.resolve("run"))
                .startingAt(0)
                .withWorkers("a")) {
            run.push("a", 1, 0, 2);
            run.put(Precondition.PRESENT, 100);
            location = DurableRun.copy(folder.resolve("run"), folder.resolve("killed"));
        }
        damage(location.resolve("checkpoint-000002/parameters.safetensors"), -1);

        try (TrainingRun run = durable.open(DurableRun.JOURNAL, location)) {
            // Generation g1 served version 2 as 100, so no other values may be served under that name.
            assertServes(run, "g3", 1, -1);
        }
    }

    @Test
    void shouldNotTakeALaterJournalForTheOneThatACheckpointSpeaksOf() throws IOException {
        Path location = killed();
        durable.open(new DurabilitySettings(false, DurableRun.NEVER, 0, OptionalLong.of(1L << 40), 9), location)
                .close();
        assertThat(segments(location)).isEmpty();
        try (TrainingRun run = durable.open(EVERY_SECOND, location)) {
            // Creates segment 1 again, at version 4.
            run.push("a", 5, 4, 2);
            DurableRun.copy(location, folder.resolve("again"));
        }
        Path again = folder.resolve("again");
        for (long number : DurableRun.numbers(again)) {
            if (number > 3) {
                Files.delete(again.resolve("checkpoint-%06d/manifest.json".formatted(number)));
            }
        }
        // Checkpoint 3 is from the time without a journal; 2 names a segment 2 that no longer exists. Pretend it named
        // the new 1.
        damage(again.resolve("checkpoint-000003/state.safetensors"), 3);
        Files.move(segment(again, 1), segment(again, 2));

        try (TrainingRun run = durable.open(DurableRun.JOURNAL, again)) {
            assertThat(run.training().generation()).isNotEqualTo("g1");
            assertThat(run.values()).containsExactly(-2);
        }
    }

    private static List<Path> segments(Path location) throws IOException {
        try (Stream<Path> files = Files.list(location.resolve("journal"))) {
            return files.toList();
        }
    }

    @Test
    void shouldNotComeUpWhereNoCheckpointCanBeRead() throws IOException {
        Path location = killed();
        damage(location.resolve("checkpoint-000002/manifest.json"), 30);
        damage(location.resolve("checkpoint-000001/training.json"), 0);

        assertThatThrownBy(() -> durable.open(DurableRun.JOURNAL, location))
                .hasMessageContaining("none of the 2 checkpoints can be read: manifest.json of checkpoint 2 is ")
                .hasMessageContaining("checkpoint-000001/training.json has the SHA-256")
                .hasMessageEndingWith("repair them, or move them away to start a new run");
    }
}
