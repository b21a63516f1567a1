package org.fleetgrad.benchmarks.bench;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.fleetgrad.benchmarks.figures.Result;
import org.fleetgrad.benchmarks.figures.Result.Missing;
import org.fleetgrad.benchmarks.page.MarkedPart;
import org.fleetgrad.benchmarks.page.PageCommand;
import org.fleetgrad.benchmarks.process.Programs;
import org.fleetgrad.benchmarks.process.Workbench;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code fleetgrad bench}. */
@Command(
        name = "fleetgrad bench",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Measures Fleetgrad on this machine and compares it with another system or a limit, in alternating rounds,"
                        + " and prints one table of medians. The machine must be otherwise idle for some 15 minutes.",
        footer = {
            "",
            "Examples:",
            "  fleetgrad bench                                   everything that this machine can measure",
            "  fleetgrad bench --only training --json            one, as a JSON object",
            "  fleetgrad bench --write docs/performance.md       replaces the page's table"
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:everything was measured, or skipped with the reason",
            "1:an error inside fleetgrad",
            "2:the command line is wrong",
            "4:a measurement failed",
            "130:interrupted"
        })
public final class BenchCommand extends PageCommand {

    private static final int FAILED = 4;
    private static final int TAIL_LINES = 5;
    private static final MarkedPart TABLE = new MarkedPart(
            "<!-- bench: begin; ./fleetgrad bench --write docs/performance.md writes this -->", "<!-- bench: end -->");

    @Option(names = "--json", description = "Print the result as JSON: one object, the last line of stdout")
    private boolean isJson;

    @Option(
            names = "--only",
            paramLabel = "NAME",
            description = "Measure only these; repeat the option for several (names: see --list)")
    private List<String> only = new ArrayList<>();

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "5",
            description = "Rounds of each measurement; fewer than 5 are unreliable (default: ${DEFAULT-VALUE})")
    private int rounds;

    @Option(names = "--list", description = "List the measurements, and exit")
    private boolean isListing;

    @Option(names = "--mnist", paramLabel = "DIR", description = "Folder with MNIST, which first-model needs")
    private @Nullable Path mnist;

    @Option(
            names = "--pictures",
            paramLabel = "DIR",
            description = "Write the pictures of push-cost to this folder, as SVG")
    private @Nullable Path pictures;

    @Option(names = "--write", paramLabel = "FILE", description = "Replace the measured part of this page: its table")
    private @Nullable Path page;

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = out();
        if (isListing) {
            Catalogue.all().forEach(entry -> out.printf("%-20s %s%n", entry.name(), entry.what()));
            out.flush();
            return 0;
        }
        require(rounds >= 1 && rounds <= 100, "--rounds must be from 1 to 100; it is " + rounds);
        List<Catalogue.Entry> entries = entries();
        long begin = System.nanoTime();
        Map<String, List<? extends Result>> byEntry = new LinkedHashMap<>();
        for (Catalogue.Entry entry : entries) {
            System.err.printf("%s%n", entry.name());
            List<? extends Result> measured = measure(entry);
            measured.forEach(result -> System.err.print("  " + FigureText.line(result)));
            byEntry.put(entry.name(), measured);
        }
        List<Result> results = new ArrayList<>();
        byEntry.values().forEach(results::addAll);
        String under = String.format(
                Locale.ROOT,
                "Medians of %d rounds%s, measured in %.1f min.%n",
                rounds,
                fewer(entries),
                (System.nanoTime() - begin) / 60e9);
        if (page != null) {
            TABLE.replace(page, head() + "\n" + FigureText.markdown(byEntry) + "\n" + under);
        }
        out.print(FigureText.table(results));
        out.print(under);
        if (isJson) {
            out.println(FigureJson.of(results));
        }
        out.flush();
        return results.stream().anyMatch(result -> result instanceof Missing missing && missing.isFailed())
                ? FAILED
                : 0;
    }

    private List<? extends Result> measure(Catalogue.Entry entry) throws IOException, InterruptedException {
        try (Programs programs = new Programs()) {
            return measure(entry, programs);
        }
    }

    private List<? extends Result> measure(Catalogue.Entry entry, Programs programs)
            throws IOException, InterruptedException {
        try {
            return entry.measurement()
                    .on(new Workbench(
                            programs,
                            Math.min(rounds, entry.mostRounds()),
                            Optional.ofNullable(mnist),
                            Optional.ofNullable(pictures)));
        } catch (InterruptedException interrupted) {
            throw interrupted;
        } catch (Exception failure) {
            // A failed measurement must not lose the figures of the others.
            logTails(programs.folder());
            if (System.getenv("FLEETGRAD_DEBUG") != null) {
                failure.printStackTrace();
            }
            return List.of(Missing.failed(entry.name(), String.valueOf(failure)));
        }
    }

    /** Prints the last lines of the programs' logs, because the logs are deleted with the measurement. */
    private static void logTails(Path folder) throws IOException {
        try (DirectoryStream<Path> logs = Files.newDirectoryStream(folder, "*.log")) {
            for (Path log : logs) {
                List<String> lines = Files.readAllLines(log);
                for (String line : lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size())) {
                    System.err.printf("  %s: %s%n", log.getFileName(), line);
                }
            }
        }
    }

    private List<Catalogue.Entry> entries() {
        List<Catalogue.Entry> all = Catalogue.all();
        List<String> names = all.stream().map(Catalogue.Entry::name).toList();
        for (String name : only) {
            require(
                    names.contains(name),
                    "--only %s is not a measurement; the measurements are %s"
                            .formatted(name, String.join(", ", names)));
        }
        return only.isEmpty()
                ? all
                : all.stream().filter(entry -> only.contains(entry.name())).toList();
    }

    private String fewer(List<Catalogue.Entry> entries) {
        String names = entries.stream()
                .filter(entry -> entry.mostRounds() < rounds)
                .map(entry -> "%s: %d".formatted(entry.name(), entry.mostRounds()))
                .collect(Collectors.joining(", "));
        return names.isEmpty() ? "" : " (" + names + ")";
    }
}
