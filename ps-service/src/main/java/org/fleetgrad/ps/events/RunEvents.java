package org.fleetgrad.ps.events;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Sends events to watchers without waiting for any: a slow watcher loses its oldest events and sees the gap in the ids.
 * Thread-safe.
 */
public final class RunEvents {

    private static final int REPLAYED = 64;
    private static final int MAX_WATCHERS = 64;

    private final Deque<Event> recent = new ArrayDeque<>();
    private final Set<Watcher> watchers = ConcurrentHashMap.newKeySet();
    private long lastId;
    private boolean isOver;

    public synchronized void publish(String type, Map<String, Object> data) {
        Event event = new Event(++lastId, type, Collections.unmodifiableMap(new TreeMap<>(data)));
        if (recent.size() == REPLAYED) {
            recent.removeFirst();
        }
        recent.addLast(event);
        watchers.forEach(watcher -> watcher.offer(event));
    }

    /**
     * Starts a watch: first the remembered events after {@code lastSeen}, then new ones. Empty if there are too many
     * watchers already, or if the service is stopping.
     */
    public synchronized Optional<Watcher> watch(long lastSeen) {
        if (isOver || watchers.size() >= MAX_WATCHERS) {
            return Optional.empty();
        }
        // An id that this process never issued comes from an earlier one: the reader has missed all events here.
        long seen = lastSeen > lastId ? 0 : lastSeen;
        List<Event> missed = recent.stream().filter(event -> event.id() > seen).toList();
        Watcher watcher = new Watcher(missed, watchers::remove);
        watchers.add(watcher);
        return Optional.of(watcher);
    }

    /** Ends every watch, because the service stops. */
    public synchronized void end() {
        isOver = true;
        watchers.forEach(Watcher::end);
    }

    /**
     * Something that happened in the run.
     *
     * @param id   number of the event, from 1
     * @param type {@code registered}, {@code unregistered}, {@code expired}, {@code parameters}, {@code recovered},
     *     {@code checkpoint}, {@code progress} or {@code accuracy}
     * @param data the event's values
     */
    public record Event(long id, String type, Map<String, Object> data) {}

    /** A watcher of the run, with its own short queue of events. */
    public static final class Watcher implements AutoCloseable {

        private static final int QUEUE_CAPACITY = 256;
        private static final RunEvents.Event END = new RunEvents.Event(0, "end", Map.of());

        private final BlockingQueue<RunEvents.Event> queue = new ArrayBlockingQueue<>(QUEUE_CAPACITY);
        private final Consumer<Watcher> leave;
        private volatile boolean isOver;

        Watcher(List<RunEvents.Event> missed, Consumer<Watcher> leave) {
            missed.forEach(this::offer);
            this.leave = leave;
        }

        void offer(RunEvents.Event event) {
            while (!queue.offer(event)) {
                queue.poll();
            }
        }

        void end() {
            isOver = true;
            offer(END);
        }

        /** Waits for the next event, until {@code wait} has passed or the watch is over. */
        public Optional<RunEvents.Event> next(Duration wait) throws InterruptedException {
            RunEvents.Event event = queue.poll(wait.toMillis(), TimeUnit.MILLISECONDS);
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
}
