package org.fleetgrad.openwhisk.pacing;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * How many activations of a driver really run at a time. A controller accepts more than fit into OpenWhisk's memory for
 * actions: the others wait in a queue, and no route reports it. Workers notify the driver when they start, so it learns the
 * width: if activations wait and the number running does not grow, no more fit. From then on it admits only as many as run,
 * and one more from time to time, in case there is capacity again. Thread-safe.
 */
public final class PoolWidth {

    /** Time without growth after which waiting activations are considered queued: longer than a cold start. */
    static final Duration QUEUED_AFTER = Duration.ofSeconds(15);
    /** Time after which one more is admitted than fit before. */
    static final Duration PROBE_INTERVAL = Duration.ofSeconds(60);

    private final Clock clock;
    private final Consumer<String> log;
    private final Map<String, Admission> admissions = new HashMap<>();
    private int width = Integer.MAX_VALUE;
    private int reported = Integer.MAX_VALUE;
    /** The most that ran at a time, and since when that is known. */
    private int most;

    private Instant mostSince = Instant.MIN;
    private Instant lastChange = Instant.MIN;

    /** One worker's activation from its admission to its end. */
    private static final class Admission {
        private final Instant admitted;
        private boolean isStarted;
        private boolean hasEnded;

        private Admission(Instant admitted) {
            this.admitted = admitted;
        }
    }

    /** @param log receives one line when the width becomes known, and at each change */
    public PoolWidth(Clock clock, Consumer<String> log) {
        this.clock = clock;
        this.log = log;
    }

    /**
     * Admits an activation of a worker if one more fits. The worker must call {@link #release} at its end.
     *
     * @return false if OpenWhisk runs no more at a time; call again after a moment
     */
    public synchronized boolean tryEnter(String worker) {
        update();
        if (admissions.size() >= width) {
            return false;
        }
        admissions.put(worker, new Admission(clock.instant()));
        return true;
    }

    /** Called when a worker has reported: its activation has left the queue. */
    public synchronized void started(String worker) {
        Admission admission = admissions.get(worker);
        if (admission == null) {
            return;
        }
        // A parameter server that was started again knows its workers a moment later.
        admission.hasEnded = false;
        if (admission.isStarted) {
            return;
        }
        admission.isStarted = true;
        int running = running();
        if (running > most) {
            most = running;
            mostSince = clock.instant();
        }
        if (running > width) {
            setWidth(running);
        }
        if (running > reported) {
            reported = running;
            log.accept("%d workers run now".formatted(running));
        }
    }

    /** Called when a worker that had reported is gone: its container is free, though its record may still be waited for. */
    public synchronized void ended(String worker) {
        Admission admission = admissions.get(worker);
        if (admission != null) {
            admission.hasEnded = admission.isStarted;
        }
    }

    /** Called at the end of an admitted activation, whatever its outcome. */
    public synchronized void release(String worker) {
        admissions.remove(worker);
    }

    /**
     * Returns whether a worker's activation certainly waits for capacity: others of this driver run, and none that was admitted
     * after it has started. One that was overtaken may be lost.
     */
    public synchronized boolean isQueued(String worker) {
        Admission own = admissions.get(worker);
        if (own == null || own.isStarted || admissions.values().stream().noneMatch(other -> other.isStarted)) {
            return false;
        }
        return admissions.values().stream().noneMatch(other -> other.isStarted && other.admitted.isAfter(own.admitted));
    }

    /** Learns the width from the waiting and running activations; called by {@link #tryEnter}, and from time to time. */
    public synchronized void update() {
        Instant now = clock.instant();
        int running = running();
        boolean isWaiting = admissions.values().stream()
                .anyMatch(admission -> !admission.isStarted && !now.isBefore(admission.admitted.plus(QUEUED_AFTER)));
        if (most > 0 && most < width && isWaiting && !now.isBefore(mostSince.plus(QUEUED_AFTER))) {
            if (most != reported) {
                reported = most;
                log.accept("%d of %d workers fit: OpenWhisk's memory for actions is full"
                        .formatted(most, admissions.size()));
            }
            setWidth(most);
        } else if (width < Integer.MAX_VALUE
                && running == admissions.size()
                && running >= width
                && !now.isBefore(lastChange.plus(PROBE_INTERVAL))) {
            setWidth(width + 1);
        }
    }

    private void setWidth(int fitting) {
        width = fitting;
        lastChange = clock.instant();
    }

    private int running() {
        return (int) admissions.values().stream()
                .filter(admission -> admission.isStarted && !admission.hasEnded)
                .count();
    }
}
