package org.fleetgrad.simulation.world;

/** Runs worlds without a test framework. */
final class RunWorlds {
    public static void main(String[] arguments) {
        if (Boolean.getBoolean("twice")) new WorldTest().shouldHaveOneHistoryForOneSeed();
        new WorldTest().shouldCountEverySampleOnceInEveryWorld();
    }
}
