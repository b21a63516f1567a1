package org.fleetgrad.ps.durability;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Each gradient counts exactly once at all servers or at none, whatever arrives late, twice or never, and whoever dies. */
class ExchangePropertyTest {

    private static final int ACTIONS = 150;

    @Property(tries = 25)
    void shouldCountEachGradientOnceEverywhereOrNowhere(
            @ForAll long seed, @ForAll @IntRange(min = 2, max = 3) int partitions) throws IOException {
        Path folder = Files.createTempDirectory("exchange");
        try (ExchangeModel model = new ExchangeModel(folder, partitions, seed)) {
            for (int i = 0; i < ACTIONS; i++) {
                model.act();
            }
            model.finishAndCheck("seed %d, %d servers".formatted(seed, partitions));
            assertThat(model.counted()).as("gradients that count").isPositive();
        } finally {
            delete(folder);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
