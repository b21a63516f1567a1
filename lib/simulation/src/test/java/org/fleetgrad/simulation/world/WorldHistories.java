package org.fleetgrad.simulation.world;

import java.util.List;
import java.util.stream.LongStream;

/** Prints the histories of some worlds, for a comparison with those of another process. */
final class WorldHistories {

    private static final int WORLDS = 40;

    private WorldHistories() {}

    /** Takes no arguments. */
    public static void main(String[] none) {
        histories().forEach(System.out::println);
        System.exit(0);
    }

    static List<String> histories() {
        return LongStream.rangeClosed(1, WORLDS)
                .parallel()
                .mapToObj(seed -> "world %d: %016x".formatted(seed, WorldTest.run(seed)))
                .toList();
    }
}
