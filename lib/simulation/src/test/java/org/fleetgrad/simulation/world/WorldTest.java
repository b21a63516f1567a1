package org.fleetgrad.simulation.world;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Every sample counts once an epoch in every world, whatever its network, its disks and its machines do.
 *
 * <p>{@code -Dworlds=N} runs so many worlds, {@code -Dworld=SEED} one that failed.
 */
class WorldTest {

    @Test
    void shouldCountEverySampleOnceInEveryWorld() {
        Long only = Long.getLong("world");
        LongStream seeds = only == null ? LongStream.rangeClosed(1, Long.getLong("worlds", 400)) : LongStream.of(only);
        // Each world has one thread at a time, and none shares anything with another.
        seeds.parallel().forEach(WorldTest::run);
    }

    @Test
    void shouldHaveOneHistoryForOneSeed() {
        for (long seed = 1; seed <= 20; seed++) {
            assertThat(run(seed)).as("history of world %d", seed).isEqualTo(run(seed));
        }
    }

    /** Maps that are made unchangeable have another order in each process: what is replayed must not depend on it. */
    @Test
    void shouldHaveTheSameHistoryInAnotherProcess() throws Exception {
        String program = WorldHistories.class.getName();
        String java = ProcessHandle.current().info().command().orElseThrow();
        Process other = new ProcessBuilder(java, "-cp", System.getProperty("java.class.path"), program)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();

        List<String> printed = other.inputReader().lines().toList();

        assertThat(printed).isEqualTo(WorldHistories.histories());
    }

    /**
     * Runs the world of a seed, and returns a number of its history.
     *
     * @throws AssertionError if a promise is broken there
     */
    static long run(long seed) {
        WorldPlan plan = WorldPlan.draw(seed);
        World world = new World(seed, plan, Mutant.NONE);
        try {
            world.run();
            return world.history();
        } catch (RuntimeException | AssertionError broken) {
            throw new AssertionError("world %d (-Dworld=%d): %s".formatted(seed, seed, broken.getMessage()), broken);
        }
    }
}
