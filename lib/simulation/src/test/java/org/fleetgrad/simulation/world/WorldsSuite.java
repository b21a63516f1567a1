package org.fleetgrad.simulation.world;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Worlds that nobody has seen yet, until somebody ends it: {@code ./mvnw -q -Pworlds verify}. Begins at the time of day, so that each run has
 * other seeds, or at {@code -Dworlds.from=SEED}. Ends after {@code -Dworlds.most=N} worlds, if that is given.
 */
class WorldsSuite {

    /** So many broken ones are enough to look at. */
    private static final int MOST_BROKEN = 10;

    private static final int BATCH = 500;

    private final Map<Long, String> broken = new ConcurrentSkipListMap<>();

    @Test
    void shouldKeepItsPromisesInWorldsThatNobodyHasSeenYet() {
        long from = Long.getLong("worlds.from", System.currentTimeMillis());
        long most = Long.getLong("worlds.most", Long.MAX_VALUE - from);
        long begin = System.nanoTime();
        for (long done = 0; done < most && broken.size() < MOST_BROKEN; ) {
            long first = from + done;
            long count = Math.min(BATCH, most - done);
            LongStream.range(first, first + count).parallel().forEach(this::run);
            done += count;
            double seconds = (System.nanoTime() - begin) / 1e9;
            System.out.printf(
                    "worlds: %,d from seed %d in %s, %.0f a second, %d broken%n",
                    done, from, Duration.ofSeconds((long) seconds), done / seconds, broken.size());
        }

        assertThat(broken).isEmpty();
    }

    private void run(long seed) {
        try {
            long unused = WorldTest.run(seed);
        } catch (AssertionError found) {
            broken.put(seed, String.valueOf(found.getMessage()));
            System.out.println(found.getMessage());
        }
    }
}
