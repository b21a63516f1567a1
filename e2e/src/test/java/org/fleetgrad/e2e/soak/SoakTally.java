package org.fleetgrad.e2e.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/** Counts what happened. Each desk, which one worker has at a time, has two values of the model that nobody else moves. Thread-safe. */
final class SoakTally {

    private static final int LISTED = 30;

    private final AtomicLongArray acknowledged;
    private final AtomicLongArray abandoned;
    private final AtomicLong kills = new AtomicLong();
    private final AtomicLong careers = new AtomicLong();
    private final AtomicLong poison = new AtomicLong();
    private long lost;
    private long doubled;
    private long failed;
    private final List<String> failures = new ArrayList<>();

    SoakTally(int desks) {
        this.acknowledged = new AtomicLongArray(desks);
        this.abandoned = new AtomicLongArray(desks);
    }

    void killed() {
        kills.incrementAndGet();
    }

    /** Counts a worker that came. */
    void came() {
        careers.incrementAndGet();
    }

    void refusedPoison() {
        poison.incrementAndGet();
    }

    /** Counts a push whose worker was told that it counts; returns how many there are of its desk. */
    long acknowledged(int desk) {
        return acknowledged.incrementAndGet(desk);
    }

    /** Counts a push that is sent by a worker that does not wait for the answer. */
    void abandoned(int desk) {
        abandoned.incrementAndGet(desk);
    }

    long acknowledgedOf(int desk) {
        return acknowledged.get(desk);
    }

    long pushes() {
        long sum = 0;
        for (int desk = 0; desk < acknowledged.length(); desk++) {
            sum += acknowledged.get(desk);
        }
        return sum;
    }

    long abandonedPushes() {
        long sum = 0;
        for (int desk = 0; desk < abandoned.length(); desk++) {
            sum += abandoned.get(desk);
        }
        return sum;
    }

    /** Compares what a desk was told with what its value of the served model says. */
    void counted(int desk, long told, long served, String when) {
        if (served != told) {
            missed(
                    told - served,
                    "%s %d pushes of desk %d were acknowledged, %d count".formatted(when, told, desk, served));
        }
    }

    /** Compares what a desk sent without waiting with what counts: each of these pushes may count, once. */
    void countedOfAbandoned(int desk, long served, String when) {
        long sent = abandoned.get(desk);
        if (served < 0 || served > sent) {
            missed(
                    sent - served,
                    "%s %d pushes of desk %d were abandoned, %d count".formatted(when, sent, desk, served));
        }
    }

    /** @param difference positive if gradients were lost, negative if some count twice */
    synchronized void missed(long difference, String what) {
        lost += Math.max(0, difference);
        doubled += Math.max(0, -difference);
        failed(what);
    }

    synchronized void failed(String what) {
        failed++;
        if (failures.size() < LISTED) {
            failures.add(what);
        }
    }

    synchronized List<String> failures() {
        return List.copyOf(failures);
    }

    synchronized long lost() {
        return lost;
    }

    synchronized long doubled() {
        return doubled;
    }

    long kills() {
        return kills.get();
    }

    @Override
    public synchronized String toString() {
        return "%d workers came, %d pushes were abandoned, %d poisoned ones refused, %d failures"
                .formatted(careers.get(), abandonedPushes(), poison.get(), failed);
    }
}
