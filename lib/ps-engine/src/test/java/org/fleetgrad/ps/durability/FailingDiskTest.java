package org.fleetgrad.ps.durability;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.fleetgrad.ps.training.TrainingRun;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The disk fails once, at each change in turn: nothing acknowledged may be lost, and nothing refused may exist. */
@Timeout(180)
@Tag("whole")
class FailingDiskTest {

    @TempDir(factory = InMemory.class)
    private Path folder;

    /** Fails the change with a given number, counted from 0; if it is a write, half of it is done. */
    private static final class FailsOnce implements WatchedDisk.Watch {
        private final int failing;
        private final AtomicInteger changes = new AtomicInteger();
        private final AtomicReference<String> failed = new AtomicReference<>("");

        FailsOnce(int failing) {
            this.failing = failing;
        }

        @Override
        public void before(String change) throws IOException {
            if (changes.getAndIncrement() == failing) {
                failed.set(change);
                throw new IOException("no space left on device");
            }
        }

        @Override
        public void after(String change) {}

        String failed() {
            return String.valueOf(failed.get());
        }
    }

    @Test
    void shouldKeepWhatWasAcknowledgedWhicheverChangeFails() {
        List<float[]> values = new ArrayList<>(List.of(new float[0]));
        FailsOnce never = new FailsOnce(Integer.MAX_VALUE);
        Life sound = new Life(new WatchedDisk(never).path(folder.resolve("sound")));
        int begin = never.changes.get();
        try (TrainingRun run = sound.run()) {
            for (Life.Action action : Life.ACTIONS) {
                assertThat(action.isDone(sound)).isTrue();
                values.add(run.published().version().isPresent() ? run.values() : new float[0]);
            }
        }

        int end = never.changes.get();
        assertThat(end - begin).isGreaterThan(150);
        for (int failing = 0; failing < end; failing++) {
            live(failing, begin, values);
        }
    }

    private void live(int failing, int begin, List<float[]> values) {
        Path location = folder.resolve("failing-" + failing);
        FailsOnce disk = new FailsOnce(failing);
        Life life;
        try {
            life = new Life(new WatchedDisk(disk).path(location));
        } catch (RuntimeException unusable) {
            assertThat(failing).as("the server does not come up").isLessThan(begin);
            return;
        }
        String when = "'%s' (change %d) failed".formatted("%s", failing);
        Path killed = folder.resolve("killed-" + failing);
        byte[] served;
        boolean isStopped;
        int done = 0;
        try (TrainingRun run = life.run()) {
            for (Life.Action action : Life.ACTIONS) {
                byte[] before = Life.served(run);
                boolean isDone = action.isDone(life);
                if (!isDone) {
                    assertThat(Life.served(run))
                            .as("a refusal changes nothing; " + when, disk.failed())
                            .isEqualTo(before);
                    isDone = run.training().unreadiness().isEmpty() && action.isDone(life);
                }
                isStopped = run.training().unreadiness().isPresent();
                if (isStopped) {
                    break;
                }
                assertThat(isDone)
                        .as("the disk works again; %s; " + when, life.lastOutcome(), disk.failed())
                        .isTrue();
                done++;
                if (values.get(done).length > 0) {
                    assertThat(run.values())
                            .as("action %d, %s; " + when, done, life.lastOutcome(), disk.failed())
                            .containsExactly(values.get(done));
                }
            }
            served = Life.served(run);
            isStopped = run.training().unreadiness().isPresent();
            DurableRun.copy(location, killed);
        }
        for (Path place : List.of(killed, location)) {
            try (TrainingRun run = new DurableRun(Life.settings()).open(Life.SETTINGS, place)) {
                if (!isStopped) {
                    assertThat(Life.served(run))
                            .as("%s; " + when, place, disk.failed())
                            .isEqualTo(served);
                } else {
                    assertThat(disk.failed())
                            .as("only an unknown commit stops it")
                            .startsWith("force segment");
                    assertThat(values.subList(done, done + 2))
                            .as("%s; " + when, place, disk.failed())
                            .contains(run.values());
                }
            }
        }
    }

    @Test
    void shouldComeBackAfterAnyChangeOfARecoveryFailed() {
        Path killed = folder.resolve("killed");
        byte[] served;
        Life life = new Life(folder.resolve("run"));
        try (TrainingRun run = life.run()) {
            Life.ACTIONS.forEach(action -> assertThat(action.isDone(life)).isTrue());
            served = run.bytes();
            DurableRun.copy(folder.resolve("run"), killed);
        }
        int failures = 0;
        for (int failing = 0; ; failing++) {
            Path copy = DurableRun.copy(killed, folder.resolve("failing-" + failing));
            FailsOnce disk = new FailsOnce(failing);
            try (TrainingRun run =
                    new DurableRun(Life.settings()).open(Life.SETTINGS, new WatchedDisk(disk).path(copy))) {
                assertThat(run.bytes()).as(disk.failed()).isEqualTo(served);
            } catch (RuntimeException down) {
                assertThat(down).hasRootCauseInstanceOf(IOException.class);
                failures++;
            }
            try (TrainingRun run = new DurableRun(Life.settings()).open(Life.SETTINGS, copy)) {
                assertThat(run.bytes()).as(disk.failed()).isEqualTo(served);
            }
            if (disk.failed().isEmpty()) {
                break;
            }
        }
        assertThat(failures).isGreaterThan(10);
    }
}
