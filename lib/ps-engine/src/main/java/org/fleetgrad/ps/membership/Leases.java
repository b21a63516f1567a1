package org.fleetgrad.ps.membership;

import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;

/**
 * The registered workers and their leases.
 *
 * <p>Any call of a worker renews its lease. A worker has no timer to renew it, because it is frozen between
 * activations. No lease lasts longer than the deadline that its worker stated. A lease ends at the moment it expires,
 * even before {@link #expire} removes it. Thread-safe.
 */
public final class Leases {

    private final Clock clock;
    private final Duration length;
    private final int capacity;
    private final Supplier<String> ids;
    private final ConcurrentMap<String, Worker> workers = new ConcurrentHashMap<>();
    /**
     * When the activations among the workers registered for the first time; those from before a restart are missing. Who
     * adds or removes a worker does both in one step, so that a worker that registers meanwhile keeps its time.
     */
    private final Map<String, Instant> firstRegistered = new ConcurrentHashMap<>();

    /**
     * @param clock    one that nobody can set: a lease should last as long as it says
     * @param length   time from a worker's call until its lease expires
     * @param capacity maximum workers with running leases
     * @param ids      draws an id for a worker without one
     */
    public Leases(Clock clock, Duration length, int capacity, Supplier<String> ids) {
        this.clock = clock;
        this.length = length;
        this.capacity = capacity;
        this.ids = ids;
    }

    /**
     * Registers a worker under the id that it requests, or under a drawn id.
     *
     * <p>If the id is that of a worker whose lease runs, it is refused, unless both are the same activation: a platform
     * retries an activation after its container died, so the new attempt replaces the old one at once.
     *
     * @param deadline   when the worker will be gone, by this clock ({@link #now})
     * @param activation the platform's id of the worker's activation, if it is one
     * @param address    where it serves predictions, if it does
     */
    public synchronized Registration register(
            Optional<String> wanted,
            String description,
            String device,
            Optional<Instant> deadline,
            Optional<String> activation,
            Optional<URI> address) {
        String id = wanted.orElseGet(ids);
        Worker holder = workers.get(id);
        boolean isHeld = holder != null && isLive(holder);
        boolean isRetry = holder != null && holder.isRetryOf(activation);
        if (holder != null && isHeld && !isRetry) {
            return new Registration.Taken(holder);
        }
        if (!isHeld && workers.size() >= capacity && liveCount() >= capacity) {
            return new Registration.Full(capacity);
        }
        Instant now = clock.instant();
        Worker worker = new Worker(id, description, device, deadline, Instant.MIN, activation, address)
                .renewedUntil(now.plus(length));
        workers.put(id, worker);
        Optional<Duration> earlier = isRetry
                ? Optional.ofNullable(firstRegistered.get(id)).map(first -> Duration.between(first, now))
                : Optional.empty();
        if (activation.isPresent() && !isRetry) {
            firstRegistered.put(id, now);
        }
        return new Registration.Granted(worker, earlier);
    }

    /** Restores workers that were registered before a restart; each gets a full lease from now. */
    public synchronized void restore(List<Worker> known) {
        Instant end = clock.instant().plus(length);
        known.forEach(worker -> workers.putIfAbsent(worker.id(), worker.renewedUntil(end)));
    }

    /** Ends a lease; returns whether it was still running. */
    public synchronized boolean unregister(String id) {
        Worker removed = workers.remove(id);
        firstRegistered.remove(id);
        return removed != null && isLive(removed);
    }

    /** Renews a running lease; returns false if it had expired. */
    public boolean renew(String id) {
        Instant end = clock.instant().plus(length);
        Worker renewed =
                workers.computeIfPresent(id, (same, worker) -> isLive(worker) ? worker.renewedUntil(end) : worker);
        return renewed != null && isLive(renewed);
    }

    /** Removes the workers whose lease has expired and returns them. */
    public synchronized List<Worker> expire() {
        List<Worker> expired =
                workers.values().stream().filter(worker -> !isLive(worker)).toList();
        List<Worker> removed = expired.stream()
                .filter(worker -> workers.remove(worker.id(), worker))
                .toList();
        removed.forEach(worker -> firstRegistered.remove(worker.id()));
        return removed;
    }

    public boolean isLive(String id) {
        Worker worker = workers.get(id);
        return worker != null && isLive(worker);
    }

    /** Returns a worker with a running lease. */
    public Optional<Worker> find(String id) {
        return Optional.ofNullable(workers.get(id)).filter(this::isLive);
    }

    public Set<String> liveIds() {
        return Set.copyOf(live().stream().map(Worker::id).toList());
    }

    /** Returns the workers with a running lease, sorted by id. */
    public List<Worker> live() {
        return workers.values().stream()
                .filter(this::isLive)
                .sorted(Comparator.comparing(Worker::id))
                .toList();
    }

    private long liveCount() {
        return workers.values().stream().filter(this::isLive).count();
    }

    /** Returns the time by which leases end. */
    public Instant now() {
        return clock.instant();
    }

    /** Returns the time from a call until the lease expires. */
    public Duration length() {
        return length;
    }

    /** Returns the reason to refuse a request of a worker without a running lease. */
    public String notLive(String id) {
        return "worker '%s' is not registered, or its lease of %d ms ran out".formatted(id, length.toMillis());
    }

    private boolean isLive(Worker worker) {
        return clock.instant().isBefore(worker.leaseEnd());
    }

    public sealed interface Registration {

        /**
         * The worker is registered.
         *
         * @param earlier time since an earlier attempt of the same activation registered, if the worker replaces it and
         *     the time is known
         */
        record Granted(Worker worker, Optional<Duration> earlier) implements Registration {}

        /** The id is taken by a worker with a running lease. */
        record Taken(Worker worker) implements Registration {}

        /**
         * The limit of workers with running leases is reached.
         *
         * @param capacity the limit
         */
        record Full(int capacity) implements Registration {}
    }
}
