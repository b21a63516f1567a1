package org.fleetgrad.ps.durability;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.statistics.Statistics;

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
            // In a rare world of unlucky workers nothing counts; only if that were common would the property be empty.
            Statistics.label("a gradient counts").collect(model.counted() > 0);
        } finally {
            delete(folder);
        }
        Statistics.label("a gradient counts")
                .coverage(worlds -> worlds.check(true).percentage(share -> share > 80));
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
