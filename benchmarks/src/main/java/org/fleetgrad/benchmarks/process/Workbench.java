package org.fleetgrad.benchmarks.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.fleetgrad.benchmarks.figures.Comparison;

/**
 * The environment of a measurement, whose compared things take turns in rounds.
 *
 * @param mnist    a folder with MNIST, for those that need it
 * @param pictures a folder for the pictures of those that draw one
 */
public record Workbench(Programs programs, int rounds, Optional<Path> mnist, Optional<Path> pictures) {

    /** Makes one without folders. */
    public Workbench(Programs programs, int rounds) {
        this(programs, rounds, Optional.empty(), Optional.empty());
    }

    /** Makes a folder with this name for the measurement's files. */
    public Path scratch(String name) throws IOException {
        return Files.createDirectories(programs.folder().resolve(name));
    }

    /** Lets these things take turns, each with one value or several a round. */
    public <K> Comparison<K> compareAll(List<K> compared, Comparison.Measurement<K, double[]> measurement)
            throws Exception {
        return Comparison.of(rounds, compared, measurement);
    }

    /** Lets these things take turns, each with one value a round. */
    public <K> Comparison<K> compare(List<K> compared, Comparison.Measurement<K, Double> measurement) throws Exception {
        return Comparison.of(rounds, compared, each -> new double[] {measurement.of(each)});
    }

    /** Lets ours and its rival or limit take turns. */
    public Comparison.Pair compare(Callable<Double> ours, Callable<Double> other) throws Exception {
        Comparison<Boolean> both = compare(List.of(true, false), isOurs -> (isOurs ? ours : other).call());
        return new Comparison.Pair(both.of(true), both.of(false));
    }

    public void progress(String format, Object... values) {
        System.err.printf(Locale.ROOT, "  " + format + "%n", values);
    }
}
