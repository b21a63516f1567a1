package org.fleetgrad.simulation.world;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** Every sample counts once in every world. */
class WorldTest {

    @Test
    void shouldCountEverySampleOnceInEveryWorld() {
        String seed = System.getProperty("world");
        if (seed != null) {
            run(Long.parseLong(seed));
            return;
        }
        long worlds = Long.getLong("worlds", 200);
        long begin = System.nanoTime();
        for (long i = 1; i <= worlds; i++) {
            run(i);
        }
        System.out.printf("%d worlds, %.1f a second%n", worlds, worlds / ((System.nanoTime() - begin) / 1e9));
    }

    @Test
    void shouldHaveOneHistoryForOneSeed() {
        for (long seed = 1; seed <= 20; seed++) {
            assertThat(run(seed)).as("history of world %d", seed).isEqualTo(run(seed));
        }
    }

    private static long run(long seed) {
        WorldPlan plan = WorldPlan.draw(new Random(seed));
        World world = new World(seed, plan, Mutant.NONE);
        try {
            world.run();
            return world.history();
        } catch (RuntimeException | AssertionError broken) {
            throw new AssertionError("world %d (-Dworld=%d): %s".formatted(seed, seed, broken.getMessage()), broken);
        }
    }
}
