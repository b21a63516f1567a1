package org.fleetgrad.e2e.faults;

import java.util.ArrayList;
import java.util.List;

/** Counts the actions and the failures of a suite. Thread-safe. */
final class Tally {

    private long kills;
    private long acknowledged;
    private long lost;
    private long doubled;
    private long hangs;
    private final List<String> failures = new ArrayList<>();

    synchronized void killed() {
        kills++;
    }

    synchronized void acknowledged(long gradients) {
        acknowledged += gradients;
    }

    synchronized void lost(long gradients, String what) {
        lost += gradients;
        failures.add("lost: " + what);
    }

    synchronized void doubled(long gradients, String what) {
        doubled += gradients;
        failures.add("doubled: " + what);
    }

    synchronized void hung(String what) {
        hangs++;
        failures.add("hung: " + what);
    }

    synchronized void failed(String what) {
        failures.add(what);
    }

    /** Adds the counts of another tally. */
    synchronized void add(Tally other) {
        synchronized (other) {
            kills += other.kills;
            acknowledged += other.acknowledged;
            lost += other.lost;
            doubled += other.doubled;
            hangs += other.hangs;
            failures.addAll(other.failures);
        }
    }

    synchronized List<String> failures() {
        return List.copyOf(failures);
    }

    synchronized long kills() {
        return kills;
    }

    /** Returns the last line of the long suite's output. */
    @Override
    public synchronized String toString() {
        return "faults: kills=%d acknowledged=%d lost=%d doubled=%d hangs=%d"
                .formatted(kills, acknowledged, lost, doubled, hangs);
    }
}
