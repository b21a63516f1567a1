package org.fleetgrad.simulation.world;

import java.time.Duration;
import java.util.Random;
import org.fleetgrad.simulation.network.Weather;

/**
 * What goes wrong in a world.
 *
 * @param length    how long
 * @param mishaps   kills and the like in that time
 * @param weather   what the network does in that time
 * @param mostSkew  how far a machine's clock is set wrong
 * @param drivers   commands that give the run its work
 */
record FaultsPlan(Duration length, int mishaps, Weather weather, Duration mostSkew, int drivers) {

    /** A platform's deadline is a time of day, so machines with deadlines need the same, more or less. */
    private static final Duration SMALL_SKEW = Duration.ofSeconds(3);

    private static final Duration LARGE_SKEW = Duration.ofHours(1);

    static FaultsPlan draw(Random random, boolean hasDeadlines) {
        boolean isRough = random.nextInt(4) > 0;
        return new FaultsPlan(
                Duration.ofSeconds(10 + random.nextInt(50)),
                random.nextInt(12),
                isRough
                        ? new Weather(
                                0.1 * random.nextDouble(),
                                0.05 * random.nextDouble(),
                                0.1 * random.nextDouble(),
                                Duration.ofMillis(1 + random.nextInt(400)))
                        : Weather.CALM,
                hasDeadlines ? SMALL_SKEW : LARGE_SKEW,
                1 + random.nextInt(2));
    }
}
