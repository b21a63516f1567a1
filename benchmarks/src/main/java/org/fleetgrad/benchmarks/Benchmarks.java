package org.fleetgrad.benchmarks;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Prints one table: ours, the limit from the same run, and the ratio.
 *
 * <p>{@code java -Dfleetgrad.home=. -jar benchmarks/target/benchmarks.jar [NAME...]}, after {@code ./mvnw package}. Each
 * figure is the median of {@value #ROUNDS} rounds in which ours and the limit take turns, since these machines are noisy.
 */
public final class Benchmarks {

    static final int ROUNDS = 5;

    private static final List<String> NAMES =
            List.of("getParameter", "getVersion", "putGradient", "training", "footprint");

    private Benchmarks() {}

    /** Runs the named benchmarks, or all. */
    public static void main(String[] arguments) throws Exception {
        List<String> names = arguments.length == 0 ? NAMES : List.of(arguments);
        for (String name : names) {
            if (!NAMES.contains(name)) {
                System.err.printf("no benchmark '%s'; there are %s%n", name, NAMES);
                System.exit(2);
            }
        }
        Path home = Path.of(System.getProperty("fleetgrad.home", "."))
                .toAbsolutePath()
                .normalize();
        Path scratch = Files.createTempDirectory("fleetgrad-benchmarks");
        List<Figure> figures = new ArrayList<>();
        try (Programs programs = new Programs(home, scratch)) {
            RequestRates rates = new RequestRates(programs);
            for (String name : names) {
                figures.addAll(
                        switch (name) {
                            case "getParameter" -> rates.getParameter();
                            case "getVersion" -> rates.getVersion();
                            case "putGradient" -> rates.putGradient();
                            case "training" -> new TrainingThroughput(programs, scratch).measure();
                            default -> new WorkerFootprint(programs, scratch).measure();
                        });
            }
        }
        System.out.printf("%-44s %14s %14s %8s  %s%n", "what", "ours", "limit", "ratio", "limit is");
        for (Figure figure : figures) {
            System.out.println(figure.row());
        }
        System.out.printf(
                Locale.ROOT,
                "%d processors, Java %s, medians of %d rounds%n",
                Runtime.getRuntime().availableProcessors(),
                System.getProperty("java.version"),
                ROUNDS);
    }
}
