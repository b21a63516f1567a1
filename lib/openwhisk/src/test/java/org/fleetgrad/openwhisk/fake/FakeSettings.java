package org.fleetgrad.openwhisk.fake;

import java.time.Clock;
import java.time.Duration;

/**
 * What an operator sets; the defaults are those of OpenWhisk standalone.
 *
 * @param auth                  the key of the one namespace, {@code guest}
 * @param invocationsPerMinute  invocations that are accepted in a minute of the clock
 * @param concurrentInvocations activations that may be waiting or running
 * @param payloadBytes          most bytes of an invocation's parameters, and of a result
 * @param blockingWait          longest time that a blocking invocation is waited for
 * @param pauseGrace            idle time after which a container is frozen
 * @param longestTimeLimit      longest time limit that an action may have
 * @param largestMemoryMib      most memory that an action may have
 * @param poolMib               memory of all containers; activations wait where there is none left
 * @param looksUntilStored      how often a record is asked for in vain when its activation is over
 * @param clock                 tells the minutes of the rate
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
        Clock clock) {

    /** As standalone starts, with a key of its own. */
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
            Clock.systemUTC());

    /** Returns the same with other limits of the namespace. */
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
                clock);
    }

    /** Returns the same with other times. */
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
                clock);
    }

    /** Returns the same with other memory, in MiB. */
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
                clock);
    }

    /** Returns the same with records that are stored late. */
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
                clock);
    }

    /** Returns the same with another clock for the minutes of the rate. */
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
                other);
    }
}
