package org.fleetgrad.ps.membership;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;

/**
 * Who is registered, and for how long.
 *
 * <p>A lease is renewed by any call of its worker, never by a timer of the worker: between activations a worker is
 * frozen. No lease outlives the deadline that its worker stated. A lease that has run out is over from that moment, whether or not {@link #expire} has swept it up yet. Safe
 * from several threads.
 */
public final class Leases {

    private final Clock clock;
    private final Duration length;
    private final Supplier<String> ids;
    private final ConcurrentMap<String, Worker> workers = new ConcurrentHashMap<>();

    /**
     * @param length time from a worker's call until its lease runs out
     * @param ids    draws an id for a worker that brings none
     */
    public Leases(Clock clock, Duration length, Supplier<String> ids) {
        this.clock = clock;
        this.length = length;
        this.ids = ids;
    }

    /** Registers a worker under the id it wants, or under one drawn for it. */
    public synchronized Registration register(
            Optional<String> wanted, String description, String device, Optional<Instant> deadline) {
        String id = wanted.orElseGet(ids);
        Worker holder = workers.get(id);
        if (holder != null && isLive(holder)) {
            return new Registration.Taken(holder);
        }
        Worker worker = new Worker(id, description, device, deadline, Instant.MIN)
                .renewedUntil(clock.instant().plus(length));
        workers.put(id, worker);
        return new Registration.Granted(worker);
    }

    /** Takes over workers that were registered before a restart, each with a whole lease from now. */
    public synchronized void restore(List<Worker> known) {
        Instant end = clock.instant().plus(length);
        known.forEach(worker -> workers.putIfAbsent(worker.id(), worker.renewedUntil(end)));
    }

    /** Ends a lease; tells whether it still ran. */
    public boolean unregister(String id) {
        Worker removed = workers.remove(id);
        return removed != null && isLive(removed);
    }

    /** Renews a lease that still runs; tells whether it did. */
    public boolean renew(String id) {
        Instant end = clock.instant().plus(length);
        Worker renewed =
                workers.computeIfPresent(id, (same, worker) -> isLive(worker) ? worker.renewedUntil(end) : worker);
        return renewed != null && isLive(renewed);
    }

    /** Removes the workers whose lease has run out and returns them. */
    public List<Worker> expire() {
        List<Worker> expired =
                workers.values().stream().filter(worker -> !isLive(worker)).toList();
        return expired.stream()
                .filter(worker -> workers.remove(worker.id(), worker))
                .toList();
    }

    /** Tells whether a worker's lease runs. */
    public boolean isLive(String id) {
        Worker worker = workers.get(id);
        return worker != null && isLive(worker);
    }

    /** Returns a worker whose lease runs. */
    public Optional<Worker> find(String id) {
        return Optional.ofNullable(workers.get(id)).filter(this::isLive);
    }

    /** Returns the ids whose lease runs. */
    public Set<String> liveIds() {
        return Set.copyOf(live().stream().map(Worker::id).toList());
    }

    /** Returns the workers whose lease runs, sorted by id. */
    public List<Worker> live() {
        return workers.values().stream()
                .filter(this::isLive)
                .sorted(Comparator.comparing(Worker::id))
                .toList();
    }

    /** Returns the time from a call until the lease runs out. */
    public Duration length() {
        return length;
    }

    /** Says why a request of a worker whose lease does not run is refused. */
    public String notLive(String id) {
        return "worker '%s' is not registered, or its lease of %d ms ran out".formatted(id, length.toMillis());
    }

    private boolean isLive(Worker worker) {
        return clock.instant().isBefore(worker.leaseEnd());
    }
}
