package org.fleetgrad.openwhisk.fake;

import java.time.Clock;
import java.time.Duration;

/**
 * The operator's settings; the defaults are those of OpenWhisk standalone.
 *
 * @param auth                  the key of the one namespace, {@code guest}
 * @param invocationsPerMinute  most invocations in a minute of the clock
 * @param concurrentInvocations most activations waiting or running
 * @param payloadBytes          most bytes of an invocation's parameters, and of a result
 * @param blockingWait          longest wait of a blocking invocation
 * @param pauseGrace            idle time after which a container is frozen
 * @param longestTimeLimit      longest time limit that an action may have
 * @param largestMemoryMib      most memory that an action may have
 * @param poolMib               memory of all containers together; activations wait if none is left
 * @param looksUntilStored      number of requests for a record that fail after its activation has ended
 * @param isRetryingSilence     whether an activation is run again if its warm container closes the connection without a
 *     response; a standalone does, other OpenWhisks do only what is certainly safe
 * @param isKeepingLogs         whether records have the lines of their activation; without, they have an empty list, as where
 *     the operator stores logs elsewhere
 * @param clock                 determines the minutes of the rate limit
 */
public record FakeSettings(
        String auth,
        int invocationsPerMinute,
        int concurrentInvocations,
        int payloadBytes,
        Duration blockingWait,
        Duration pauseGrace,
        Duration longestTimeLimit,
        int largestMemoryMib,
        int poolMib,
        int looksUntilStored,
        boolean isRetryingSilence,
        boolean isKeepingLogs,
        Clock clock) {

    /** The settings of OpenWhisk standalone, with another key. */
    public static final FakeSettings STANDALONE = new FakeSettings(
            "23bc46b1-71f6-4ed5-8c54-816aa4f8c502:123zO3xZCLrMN6v2BKK1dXYFpXlPkccOFqm12CdAsMgRU4VrNZ9lyGVCGuMDGIwP",
            60,
            30,
            1024 * 1024,
            Duration.ofSeconds(60),
            Duration.ofSeconds(10),
            Duration.ofMinutes(5),
            512,
            1024,
            0,
            true,
            true,
            Clock.systemUTC());

    /** Returns the same settings with other limits of the namespace. */
    public FakeSettings withLimits(int perMinute, int concurrent) {
        return new FakeSettings(
                auth,
                perMinute,
                concurrent,
                payloadBytes,
                blockingWait,
                pauseGrace,
                longestTimeLimit,
                largestMemoryMib,
                poolMib,
                looksUntilStored,
                isRetryingSilence,
                isKeepingLogs,
                clock);
    }

    /** Returns the same settings with other times. */
    public FakeSettings withTimes(Duration otherBlockingWait, Duration otherPauseGrace) {
        return new FakeSettings(
                auth,
                invocationsPerMinute,
                concurrentInvocations,
                payloadBytes,
                otherBlockingWait,
                otherPauseGrace,
                longestTimeLimit,
                largestMemoryMib,
                poolMib,
                looksUntilStored,
                isRetryingSilence,
                isKeepingLogs,
                clock);
    }

    /** Returns the same settings with other memory limits, in MiB. */
    public FakeSettings withMemory(int largestOfAnAction, int pool) {
        return new FakeSettings(
                auth,
                invocationsPerMinute,
                concurrentInvocations,
                payloadBytes,
                blockingWait,
                pauseGrace,
                longestTimeLimit,
                largestOfAnAction,
                pool,
                looksUntilStored,
                isRetryingSilence,
                isKeepingLogs,
                clock);
    }

    /** Returns the same settings with records that are stored late. */
    public FakeSettings withLooksUntilStored(int looks) {
        return new FakeSettings(
                auth,
                invocationsPerMinute,
                concurrentInvocations,
                payloadBytes,
                blockingWait,
                pauseGrace,
                longestTimeLimit,
                largestMemoryMib,
                poolMib,
                looks,
                isRetryingSilence,
                isKeepingLogs,
                clock);
    }

    /** Returns the same settings without retries of what may have run, as of an OpenWhisk that is not a standalone. */
    public FakeSettings withoutRetries() {
        return new FakeSettings(
                auth,
                invocationsPerMinute,
                concurrentInvocations,
                payloadBytes,
                blockingWait,
                pauseGrace,
                longestTimeLimit,
                largestMemoryMib,
                poolMib,
                looksUntilStored,
                false,
                isKeepingLogs,
                clock);
    }

    /** Returns the same settings with records whose logs are empty. */
    public FakeSettings withoutLogs() {
        return new FakeSettings(
                auth,
                invocationsPerMinute,
                concurrentInvocations,
                payloadBytes,
                blockingWait,
                pauseGrace,
                longestTimeLimit,
                largestMemoryMib,
                poolMib,
                looksUntilStored,
                isRetryingSilence,
                false,
                clock);
    }

    /** Returns the same settings with another clock for the minutes of the rate. */
    public FakeSettings withClock(Clock other) {
        return new FakeSettings(
                auth,
                invocationsPerMinute,
                concurrentInvocations,
                payloadBytes,
                blockingWait,
                pauseGrace,
                longestTimeLimit,
                largestMemoryMib,
                poolMib,
                looksUntilStored,
                isRetryingSilence,
                isKeepingLogs,
                other);
    }
}
