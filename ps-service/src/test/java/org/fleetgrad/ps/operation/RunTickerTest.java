package org.fleetgrad.ps.operation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.ps.events.RunEvents;
import org.fleetgrad.ps.events.RunEvents.Watcher;
import org.fleetgrad.ps.training.TrainingRun;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RunTickerTest {

    private final TrainingRun run = new TrainingRun(new TrainingMode.Sync(0));
    private final RunEvents events = new RunEvents();
    private final Watcher watcher = events.watch(0).orElseThrow();
    private final RunTicker ticker = new RunTicker(run.leases(), run.training(), run.published(), events, () -> {});

    @AfterEach
    void close() {
        ticker.close();
        run.close();
    }

    @Test
    void shouldTellProgressOncePerVersion() throws InterruptedException {
        ticker.tick();
        assertThat(told()).as("before there are parameters").isEmpty();

        run.startingAt(0).withWorkers("a");
        ticker.tick();
        ticker.tick();
        assertThat(told()).extracting(RunEvents.Event::data).containsExactly(progress(0, 0, Map.of()));

        run.push("a", 1, 0, 2);
        run.push("a", 2, 1, 2);
        ticker.tick();
        ticker.tick();

        assertThat(told()).extracting(RunEvents.Event::data).containsExactly(progress(2, 2, Map.of("loss", 1.5)));
    }

    @Test
    void shouldEndLeasesAndReleaseTheBarrier() throws InterruptedException {
        run.startingAt(0).withWorkers("a", "b");
        run.push("a", 1, 0, 2);
        ticker.tick();
        told();

        run.clock().advance(TrainingRun.LEASE);
        ticker.tick();
        run.awaitIdle();
        assertThat(told())
                .filteredOn(event -> event.type().equals("expired"))
                .extracting(RunEvents.Event::data)
                .containsExactlyInAnyOrder(Map.of("worker", "a"), Map.of("worker", "b"));
        ticker.tick();

        assertThat(run.version()).isEqualTo(1);
        assertThat(told()).noneMatch(event -> event.type().equals("expired"));
    }

    private static Map<String, Object> progress(long version, long samples, Map<String, Object> more) {
        Map<String, Object> data = new HashMap<>(more);
        data.putAll(Map.of("version", version, "samples", samples, "worstStaleness", 0L, "workers", 1));
        return data;
    }

    private List<RunEvents.Event> told() throws InterruptedException {
        List<RunEvents.Event> all = new ArrayList<>();
        for (Optional<RunEvents.Event> next = watcher.next(Duration.ZERO);
                next.isPresent();
                next = watcher.next(Duration.ZERO)) {
            all.add(next.get());
        }
        return all;
    }
}
