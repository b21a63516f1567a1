package org.fleetgrad.simulation.world;

import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;

/** Draws what a world is like. */
final class Draw {

    private Draw() {}

    /** Returns the source of chance of a seed, which is mixed: for seeds in a row, {@link Random} begins with nearly the same numbers. */
    static Random random(long seed) {
        return new Random(new SplittableRandom(seed).nextLong());
    }

    static String pick(Random random, String... choices) {
        return List.of(choices).get(random.nextInt(choices.length));
    }

    static boolean chance(Random random, double probability) {
        return random.nextDouble() < probability;
    }
}
