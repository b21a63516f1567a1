package org.fleetgrad.ps.events;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Sends events to watchers without waiting for any: a slow watcher loses its oldest events and sees the gap in the ids.
 * Thread-safe.
 */
public final class RunEvents {

    private static final int REMEMBERED = 64;
    private static final int MAX_WATCHERS = 64;

    private final Deque<RunEvent> recent = new ArrayDeque<>();
    private final Set<Watcher> watchers = ConcurrentHashMap.newKeySet();
    private long lastId;
    private boolean isOver;

    /** Sends an event to every watcher. */
    public synchronized void publish(String type, Map<String, Object> data) {
        RunEvent event = new RunEvent(++lastId, type, Map.copyOf(data));
        if (recent.size() == REMEMBERED) {
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
        List<RunEvent> missed =
                recent.stream().filter(event -> event.id() > seen).toList();
        Watcher watcher = new Watcher(missed, watchers::remove);
        watchers.add(watcher);
        return Optional.of(watcher);
    }

    /** Ends every watch, because the service stops. */
    public synchronized void end() {
        isOver = true;
        watchers.forEach(Watcher::end);
    }
}
