package org.fleetgrad.ps.durability;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.fleetgrad.ps.training.TrainingRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills the server after each change of a file: the same generation must recover everything that was acknowledged, and
 * nothing else.
 */
@Timeout(180)
class CrashPointsTest {

    @TempDir(factory = InMemory.class)
    private Path folder;

    /** A copy of the folder after a change, with the number of actions acknowledged by then. */
    private record Killed(Path folder, String after, int acknowledged) {}

    /** Copies the folder after each change. */
    private final class Copies implements WatchedDisk.Watch {
        private final List<Killed> all = new ArrayList<>();
        private final Set<String> seen = new HashSet<>();
        private final AtomicInteger acknowledged = new AtomicInteger();

        @Override
        public void before(String change) {}

        @Override
        public void after(String change) {
            Path copy = folder.resolve("killed-" + all.size());
            // Many fsyncs change no byte: one copy of each content is enough.
            if (seen.add(acknowledged + content(DurableRun.copy(folder.resolve("run"), copy)))) {
                all.add(new Killed(copy, change, acknowledged.get()));
            }
        }
    }

    @Test
    void shouldBringBackWhatWasAcknowledgedWhereverItWasKilled() {
        Copies copies = new Copies();
        List<byte[]> served = new ArrayList<>(List.of(new byte[0]));
        Life life = new Life(new WatchedDisk(copies).path(folder.resolve("run")));
        try (TrainingRun run = life.run()) {
            for (Life.Action action : Life.ACTIONS) {
                assertThat(action.isDone(life)).isTrue();
                served.add(Life.served(run));
                copies.acknowledged.incrementAndGet();
            }
        }

        assertThat(copies.all)
                .extracting(Killed::after)
                .contains("open segment-000004.journal", "move to manifest.json");
        assertThat(copies.all).hasSizeGreaterThan(60);
        for (Killed killed : copies.all) {
            assertBroughtBack(killed, served);
        }
    }

    private static String content(Path copy) {
        try (Stream<Path> files = Files.walk(copy)) {
            StringBuilder content = new StringBuilder();
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                content.append(copy.relativize(file)).append(Arrays.hashCode(Files.readAllBytes(file)));
            }
            return content.toString();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static void assertBroughtBack(Killed killed, List<byte[]> served) {
        String when = "killed after '%s' with %d actions acknowledged".formatted(killed.after(), killed.acknowledged());
        List<byte[]> possible =
                served.subList(killed.acknowledged(), Math.min(killed.acknowledged() + 2, served.size()));
        byte[] first;
        try (TrainingRun run = new DurableRun(Life.settings()).open(Life.SETTINGS, killed.folder())) {
            first = Life.served(run);
            assertThat(IntStream.range(0, possible.size()).anyMatch(i -> Arrays.equals(possible.get(i), first)))
                    .as(when)
                    .isTrue();
        }
        try (TrainingRun run = new DurableRun(Life.settings()).open(Life.SETTINGS, killed.folder())) {
            assertThat(Life.served(run))
                    .as("stopped and started again, " + when)
                    .isEqualTo(first);
        }
    }
}
