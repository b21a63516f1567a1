package org.fleetgrad.ps.events;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.fleetgrad.ps.events.RunEvents.Watcher;
import org.junit.jupiter.api.Test;

class RunEventsTest {

    private static final int REMEMBERED = 64;
    private static final int QUEUED = 256;
    private static final int MAX_WATCHERS = 64;

    private final RunEvents events = new RunEvents();

    @Test
    void shouldTellEveryWatcher() throws InterruptedException {
        try (Watcher one = watch(0);
                Watcher other = watch(0)) {
            events.publish("registered", Map.of("worker", "a"));

            RunEvents.Event expected = new RunEvents.Event(1, "registered", Map.of("worker", "a"));
            assertThat(one.next(Duration.ofSeconds(60))).contains(expected);
            assertThat(other.next(Duration.ofSeconds(60))).contains(expected);
            assertThat(one.next(Duration.ZERO)).isEmpty();
        }
    }

    @Test
    void shouldReplayWhatWasMissed() throws InterruptedException {
        publish(10);

        try (Watcher watcher = watch(7)) {
            publish(1);

            assertThat(ids(watcher)).containsExactly(8L, 9L, 10L, 11L);
        }
    }

    @Test
    void shouldReplayNoMoreThanIsRemembered() throws InterruptedException {
        publish(REMEMBERED + 36);

        try (Watcher watcher = watch(0)) {
            assertThat(ids(watcher)).containsExactlyElementsOf(range(37, REMEMBERED + 36));
        }
    }

    @Test
    void shouldReplayEverythingToAReaderThatComesFromAnotherHistory() throws InterruptedException {
        publish(3);

        // Its last id does not exist here: an earlier server process issued it.
        try (Watcher watcher = watch(5000)) {
            assertThat(ids(watcher)).containsExactly(1L, 2L, 3L);
        }
    }

    @Test
    void shouldDropTheOldestOfAWatcherThatIsSlowAndLeaveAGapInTheIds() throws InterruptedException {
        try (Watcher slow = watch(0);
                Watcher quick = watch(0)) {
            publish(1);
            assertThat(ids(quick)).containsExactly(1L);
            publish(QUEUED + 9);

            assertThat(ids(slow)).containsExactlyElementsOf(range(11, QUEUED + 10));
            assertThat(ids(quick)).startsWith(11L);
        }
    }

    @Test
    void shouldRefuseMoreWatchersThanItCanServe() {
        List<Watcher> all = new ArrayList<>();
        for (int i = 0; i < MAX_WATCHERS; i++) {
            all.add(watch(0));
        }
        assertThat(events.watch(0)).isEmpty();

        all.get(0).close();

        assertThat(events.watch(0)).isPresent();
    }

    @Test
    void shouldTellNothingMoreToAWatcherThatLeft() throws InterruptedException {
        Watcher watcher = watch(0);
        watcher.close();

        publish(1);

        assertThat(watcher.next(Duration.ZERO)).isEmpty();
    }

    @Test
    void shouldEndEveryWatch() throws InterruptedException {
        Watcher watcher = watch(0);
        assertThat(watcher.isOver()).isFalse();

        events.end();

        assertThat(watcher.isOver()).isTrue();
        assertThat(watcher.next(Duration.ofSeconds(20))).as("at once").isEmpty();
        assertThat(events.watch(0)).isEmpty();
    }

    private Watcher watch(long lastSeen) {
        return events.watch(lastSeen).orElseThrow();
    }

    private void publish(int count) {
        for (int i = 0; i < count; i++) {
            events.publish("progress", Map.of());
        }
    }

    private static List<Long> range(long from, long to) {
        return LongStream.rangeClosed(from, to).boxed().toList();
    }

    private static List<Long> ids(Watcher watcher) throws InterruptedException {
        List<Long> ids = new ArrayList<>();
        Optional<RunEvents.Event> next = watcher.next(Duration.ZERO);
        while (next.isPresent()) {
            ids.add(next.get().id());
            next = watcher.next(Duration.ZERO);
        }
        return ids;
    }
}
