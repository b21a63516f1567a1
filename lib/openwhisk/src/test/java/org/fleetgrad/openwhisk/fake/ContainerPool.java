package org.fleetgrad.openwhisk.fake;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The containers of an invoker: busy ones, and idle ones, which are frozen after a while. Activations are served in
 * order of arrival.
 */
final class ContainerPool implements AutoCloseable {

    private final int poolMib;
    private final Duration pauseGrace;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(FakeOpenWhisk::daemon);
    private final Deque<RunningActivation> waiting = new ArrayDeque<>();
    private final List<PooledContainer> busy = new ArrayList<>();
    /** Idle containers, each with the task that will freeze it. */
    private final Map<PooledContainer, ScheduledFuture<?>> idle = new LinkedHashMap<>();

    private int started;
    private boolean isClosed;

    ContainerPool(int poolMib, Duration pauseGrace) {
        this.poolMib = poolMib;
        this.pauseGrace = pauseGrace;
    }

    /** Takes an idle container of the action, or a new one; waits until there is memory for one. */
    synchronized PooledContainer take(RunningActivation activation) throws InterruptedException {
        waiting.addLast(activation);
        try {
            while (!isClosed) {
                PooledContainer container = activation == waiting.peekFirst() ? find(activation.action()) : null;
                if (container != null) {
                    busy.add(container);
                    return container;
                }
                wait();
            }
            throw new InterruptedException("the invoker is closed");
        } finally {
            waiting.remove(activation);
            notifyAll();
        }
    }

    private @Nullable PooledContainer find(StoredAction action) {
        Optional<PooledContainer> warm = idle.keySet().stream()
                .filter(container -> container.serves(action))
                .findFirst();
        if (warm.isPresent()) {
            forgetPause(idle.remove(warm.get()));
            return warm.get();
        }
        // Removes idle containers of other actions to make room.
        while (used() + action.memoryMib() > poolMib && !idle.isEmpty()) {
            PooledContainer oldest = idle.keySet().iterator().next();
            forgetPause(idle.remove(oldest));
            oldest.kill();
        }
        if (used() + action.memoryMib() > poolMib) {
            return null;
        }
        return new PooledContainer("wsk%d_%s_%s".formatted(++started, FakeOpenWhisk.NAMESPACE, action.name()), action);
    }

    private int used() {
        return Stream.concat(busy.stream(), idle.keySet().stream())
                .mapToInt(PooledContainer::memoryMib)
                .sum();
    }

    /** Returns a container to the pool for the next activation. */
    synchronized void giveBack(PooledContainer container) {
        busy.remove(container);
        if (isClosed) {
            container.kill();
            return;
        }
        Runnable pause = () -> container.pauseIf(() -> isIdle(container));
        idle.put(container, timer.schedule(pause, pauseGrace.toMillis(), TimeUnit.MILLISECONDS));
        notifyAll();
    }

    private synchronized boolean isIdle(PooledContainer container) {
        return idle.containsKey(container);
    }

    /** Destroys a container. */
    void destroy(PooledContainer container) {
        container.kill();
        synchronized (this) {
            busy.remove(container);
            notifyAll();
        }
    }

    private static void forgetPause(@Nullable ScheduledFuture<?> pause) {
        if (pause != null) {
            pause.cancel(false);
        }
    }

    @Override
    public void close() {
        List<PooledContainer> all;
        synchronized (this) {
            isClosed = true;
            all = Stream.concat(busy.stream(), idle.keySet().stream()).toList();
            idle.clear();
            notifyAll();
        }
        timer.shutdownNow();
        all.forEach(PooledContainer::kill);
    }
}
