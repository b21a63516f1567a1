package org.fleetgrad.openwhisk.fake;

import java.time.Clock;

/** Counts the invocations of a namespace in each minute of the clock. */
final class Rates {

    private static final int TOO_MANY_REQUESTS = 429;
    private static final long MINUTE_MILLIS = 60_000;

    private final Clock clock;
    private final int perMinute;
    private final int concurrent;
    private long minute;
    private int count;

    Rates(FakeSettings settings) {
        this.clock = settings.clock();
        this.perMinute = settings.invocationsPerMinute();
        this.concurrent = settings.concurrentInvocations();
    }

    /** Admits one more invocation, or refuses it. */
    synchronized void admit(long running) throws Refusal {
        long now = Math.floorDiv(clock.millis(), MINUTE_MILLIS);
        if (now != minute) {
            minute = now;
            count = 0;
        }
        count++;
        if (count > perMinute) {
            throw new Refusal(
                    TOO_MANY_REQUESTS,
                    "Too many requests in the last minute (count: %d, allowed: %d).".formatted(count, perMinute));
        }
        if (running >= concurrent) {
            throw new Refusal(
                    TOO_MANY_REQUESTS,
                    "Too many concurrent requests in flight (count: %d, allowed: %d)."
                            .formatted(running + 1, concurrent));
        }
    }
}
