package org.fleetgrad.simulation.world;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The worlds find what is wrong: each mutant fails in one of the first of them. */
class MutantsTest {

    private static final int MOST_WORLDS = 1_000;

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void shouldFindTheMutant(Mutant mutant) {
        assertThat(firstWorldThatFinds(mutant)).as("%s", mutant).isPositive();
    }

    /** Returns the seed of the world; 0 if none finds it. */
    static long firstWorldThatFinds(Mutant mutant) {
        for (long seed = 1; seed <= MOST_WORLDS; seed++) {
            try {
                new World(seed, WorldPlan.draw(seed), mutant).run();
            } catch (RuntimeException | AssertionError found) {
                return seed;
            }
        }
        return 0;
    }
}
