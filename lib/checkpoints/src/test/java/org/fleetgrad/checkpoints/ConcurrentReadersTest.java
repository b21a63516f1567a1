package org.fleetgrad.checkpoints;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.fleetgrad.checkpoints.ListedCheckpoint.Complete;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A reader of a folder sees complete checkpoints or none, while a writer adds and deletes checkpoints there. */
@Tag("whole")
class ConcurrentReadersTest {

    private static final int WRITES = 150;

    @TempDir
    private Path folder;

    @Test
    void shouldSeeWholeCheckpointsOrNone() throws Exception {
        CheckpointLocation location = CheckpointLocation.inFolder(folder);
        try (Checkpoints writing = Checkpoints.open(location);
                Checkpoints reading = Checkpoints.open(location)) {
            FutureTask<Integer> writer = new FutureTask<>(() -> write(writing));
            new Thread(writer, "writer").start();
            List<FutureTask<Long>> readers = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                FutureTask<Long> reader = new FutureTask<>(() -> readUntil(writer, reading));
                readers.add(reader);
                new Thread(reader, "reader-" + i).start();
            }

            assertThat(writer.get()).isEqualTo(WRITES);
            for (FutureTask<Long> reader : readers) {
                assertThat(reader.get()).isPositive();
            }
            assertThat(reading.list()).extracting(ListedCheckpoint::number).containsExactly((long) WRITES);
        }
    }

    private static int write(Checkpoints checkpoints) throws IOException {
        for (int version = 1; version <= WRITES; version++) {
            Samples.write(checkpoints, version);
            checkpoints.retain(1);
        }
        return WRITES;
    }

    /** Returns the number of checkpoints read. */
    private static long readUntil(FutureTask<Integer> writer, Checkpoints checkpoints) throws IOException {
        long read = 0;
        boolean isLast = false;
        while (!isLast) {
            isLast = writer.isDone();
            for (ListedCheckpoint checkpoint : checkpoints.list()) {
                assertThat(checkpoint).isInstanceOf(Complete.class);
                try {
                    Checkpoint complete = checkpoints.read(checkpoint.number());
                    assertThat(complete.manifest().version()).isEqualTo(checkpoint.number());
                    read++;
                } catch (NoSuchFileException deleted) {
                    // The checkpoint was deleted after it was listed; any other failure is a bug.
                    assertThat(deleted).hasMessageStartingWith("checkpoint-");
                }
            }
        }
        return read;
    }
}
