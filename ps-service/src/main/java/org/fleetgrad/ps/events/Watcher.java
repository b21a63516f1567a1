package org.fleetgrad.ps.events;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A watcher of the run, with its own short queue of events. */
public final class Watcher implements AutoCloseable {

    private static final int QUEUED = 256;
    private static final RunEvent END = new RunEvent(0, "end", Map.of());

    private final BlockingQueue<RunEvent> queue = new ArrayBlockingQueue<>(QUEUED);
    private final Consumer<Watcher> leave;
    private volatile boolean isOver;

    Watcher(List<RunEvent> missed, Consumer<Watcher> leave) {
        missed.forEach(this::offer);
        this.leave = leave;
    }

    void offer(RunEvent event) {
        while (!queue.offer(event)) {
            queue.poll();
        }
    }

    void end() {
        isOver = true;
        offer(END);
    }

    /** Waits for the next event, until {@code wait} has passed or the watch is over. */
    public Optional<RunEvent> next(Duration wait) throws InterruptedException {
        RunEvent event = queue.poll(wait.toMillis(), TimeUnit.MILLISECONDS);
        return Optional.ofNullable(event).filter(next -> !next.equals(END));
    }

    /** Returns whether no more events come, because the service stops. */
    public boolean isOver() {
        return isOver;
    }

    /** Ends the watch. */
    @Override
    public void close() {
        leave.accept(this);
    }
}
