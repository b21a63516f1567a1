package org.fleetgrad.e2e.hostile;

import java.util.ArrayList;
import java.util.List;

/** Counts what happened in the suite. Thread-safe. */
final class Tally {

    private long attacks;
    private long deaths;
    private long refused;
    private long slowestHonestPushMs;
    private long lost;
    private long doubled;
    private final List<String> failures = new ArrayList<>();

    synchronized void attacked(long refusals) {
        attacks++;
        refused += refusals;
    }

    synchronized void died(String what) {
        deaths++;
        failures.add("died: " + what);
    }

    synchronized void pushed(long millis) {
        slowestHonestPushMs = Math.max(slowestHonestPushMs, millis);
    }

    synchronized void counted(String worker, long acknowledged, long served) {
        if (served < acknowledged) {
            lost += acknowledged - served;
        } else {
            doubled += served - acknowledged;
        }
        if (served != acknowledged) {
            failures.add("%s: %d gradients were acknowledged, %d count".formatted(worker, acknowledged, served));
        }
    }

    synchronized void failed(String what) {
        failures.add(what);
    }

    synchronized List<String> failures() {
        return List.copyOf(failures);
    }

    /** Returns the last line of the suite's output. */
    @Override
    public synchronized String toString() {
        return "hostile: attacks=%d deaths=%d refused=%d slowestHonestPushMs=%d lost=%d doubled=%d"
                .formatted(attacks, deaths, refused, slowestHonestPushMs, lost, doubled);
    }
}
