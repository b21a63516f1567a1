package org.fleetgrad.e2e.soak;

import java.time.Duration;

/**
 * When what happens. In the first half ps-service is killed again and again, and inference-api lives through it; in the second half it
 * is the other way around. So the servers are killed all the while, and each has half of the time in which its memory, descriptors and
 * threads are those of one process.
 */
record SoakPlan(Duration length) {

    private static final Duration LONGEST_BETWEEN_KILLS = Duration.ofMinutes(2);
    private static final Duration LONGEST_BETWEEN_SAMPLES = Duration.ofSeconds(30);
    private static final int KILLS_OF_A_HALF = 3;
    private static final int SAMPLES_OF_A_HALF = 20;

    SoakPlan {
        if (length.compareTo(Duration.ofMinutes(1)) < 0) {
            throw new IllegalArgumentException("a soak lasts a minute or more, not " + length);
        }
    }

    /** Makes the plan of {@code -Dsoak.minutes}. */
    static SoakPlan ofProperties() {
        return new SoakPlan(Duration.ofMinutes(Integer.getInteger("soak.minutes", 120)));
    }

    Duration half() {
        return length.dividedBy(2);
    }

    /** Returns the time between two kills: two minutes, unless so few would fit into a half. */
    Duration betweenKills() {
        return least(LONGEST_BETWEEN_KILLS, half().dividedBy(KILLS_OF_A_HALF));
    }

    Duration betweenSamples() {
        return least(LONGEST_BETWEEN_SAMPLES, half().dividedBy(SAMPLES_OF_A_HALF));
    }

    private static Duration least(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
