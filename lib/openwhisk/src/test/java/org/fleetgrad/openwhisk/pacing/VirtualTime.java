package org.fleetgrad.openwhisk.pacing;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import org.fleetgrad.files.retry.Sleeper;
import org.fleetgrad.testing.ManualClock;

/** Simulated time, which passes only while somebody sleeps, with tasks that are due in it. For one thread. */
final class VirtualTime implements Sleeper {

    private record Due(Instant at, Runnable what) {}

    private final ManualClock clock = new ManualClock();
    private final PriorityQueue<Due> due = new PriorityQueue<>((a, b) -> a.at().compareTo(b.at()));
    private final List<Duration> sleeps = new ArrayList<>();

    Clock clock() {
        return clock;
    }

    Instant now() {
        return clock.instant();
    }

    void after(Duration delay, Runnable what) {
        due.add(new Due(now().plus(delay), what));
    }

    List<Duration> sleeps() {
        return sleeps;
    }

    @Override
    public void sleep(Duration duration) {
        sleeps.add(duration);
        Instant end = now().plus(duration);
        while (!due.isEmpty() && !due.peek().at().isAfter(end)) {
            Due next = due.remove();
            clock.advance(Duration.between(now(), next.at()));
            next.what().run();
        }
        clock.advance(Duration.between(now(), end));
    }
}
