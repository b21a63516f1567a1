package org.fleetgrad.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.fleetgrad.benchmarks.figures.Figure;
import org.fleetgrad.benchmarks.modes.ModesCommand;
import org.fleetgrad.benchmarks.process.Programs;
import org.fleetgrad.benchmarks.process.TemporaryFolder;
import picocli.CommandLine;

/**
 * Prints one table: ours, the limit from the same run, and the ratio.
 *
 * <p>{@code java -jar benchmarks/target/benchmarks.jar [NAME...]} in the checkout, after {@code ./mvnw package}; its
 * command {@code modes} writes docs/modes.md. Each figure is the median of five rounds in which ours and the
 * limit take turns, since these machines are noisy.
 */
public final class Benchmarks {

    /** Fewer than five say little, and are for trying a benchmark out. */
    static final int ROUNDS = Integer.getInteger("fleetgrad.rounds", 5);

    private static final List<String> NAMES =
            List.of("getParameter", "getVersion", "putGradient", "training", "footprint", "container", "durability");

    /** What is measured where no name is given: what needs a JDK alone. */
    private static final List<String> DEFAULT =
            NAMES.stream().filter(name -> !name.equals("container")).toList();

    private Benchmarks() {}

    /** Runs the named benchmarks, or all that need no Docker. */
    public static void main(String[] arguments) throws Exception {
        Path home = Path.of(System.getProperty("fleetgrad.home", "."))
                .toAbsolutePath()
                .normalize();
        if (arguments.length > 0 && arguments[0].equals("modes")) {
            List<String> all = List.of(arguments);
            CommandLine modes = new CommandLine(new ModesCommand(home, all));
            modes.setExecutionExceptionHandler((failure, command, parsed) -> {
                if (!(failure instanceof IOException)) {
                    throw failure;
                }
                System.err.println("modes: " + failure.getMessage());
                return 1;
            });
            System.exit(modes.execute(all.subList(1, all.size()).toArray(String[]::new)));
        }
        List<String> names = arguments.length == 0 ? DEFAULT : List.of(arguments);
        for (String name : names) {
            if (!NAMES.contains(name)) {
                System.err.printf("no benchmark '%s'; there are %s%n", name, NAMES);
                System.exit(2);
            }
        }
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
                            case "container" -> new ContainerFootprint(programs, home, scratch).measure();
                            case "durability" -> durability(programs);
                            default -> new WorkerFootprint(programs, scratch).measure();
                        });
            }
        }
        print(figures);
    }

    private static List<Figure> durability(Programs programs) throws Exception {
        try (TemporaryFolder folder = new TemporaryFolder()) {
            List<Figure> figures = new ArrayList<>(new DurabilityCost(programs, folder).measure());
            figures.addAll(new RecoveryTime(programs, folder).measure());
            return figures;
        }
    }

    private static void print(List<Figure> figures) {
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
