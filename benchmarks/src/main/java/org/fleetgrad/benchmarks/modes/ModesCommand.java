package org.fleetgrad.benchmarks.modes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.fleetgrad.benchmarks.page.Machine;
import org.fleetgrad.benchmarks.process.Programs;
import org.fleetgrad.benchmarks.process.TemporaryFolder;
import org.fleetgrad.benchmarks.training.Accuracy;
import org.fleetgrad.datasets.idx.IdxDataset;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code modes}. */
@Command(
        name = "modes",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Trains LeNet-5 on MNIST under every training mode, staleness rule and number of workers, with and"
                        + " without killing workers, and writes the table of final accuracies and times.")
public final class ModesCommand implements Callable<Integer> {

    private static final Path PAGE = Path.of("docs", "modes.md");

    private final Path home;
    private final List<String> arguments;

    @Spec
    private @Nullable CommandSpec command;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            required = true,
            description = "Folder with a dataset: MNIST's IDX files")
    private @Nullable Path data;

    @Option(names = "--epochs", defaultValue = "1", description = "Passes over the dataset (default: ${DEFAULT-VALUE})")
    private int epochs;

    @Option(names = "--repeat", defaultValue = "1", description = "Runs of each cell (default: ${DEFAULT-VALUE})")
    private int repeat;

    @Option(
            names = "--seed",
            defaultValue = "1",
            description = "Seed of the initial parameters, of the order of samples and of the kills (default:"
                    + " ${DEFAULT-VALUE})")
    private int seed;

    @Option(
            names = "--only",
            paramLabel = "CELLS",
            split = ",",
            description = "Measure only these cells, such as async/gap-aware/8/kills, sync or 'async/*/8/calm'; without"
                    + " --out the table goes to stdout")
    private @Nullable List<String> only;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "Write to this page, of which the table is replaced (default: docs/modes.md of the checkout)")
    private @Nullable Path out;

    @Option(names = "--continue", description = "Keep the results of an aborted run with the same settings")
    private boolean isContinued;

    /**
     * @param home      folder of the checkout
     * @param arguments the command line, for the page
     */
    public ModesCommand(Path home, List<String> arguments) {
        this.home = home;
        this.arguments = List.copyOf(arguments);
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        require(epochs >= 1, "--epochs must be 1 or more; it is " + epochs);
        require(repeat >= 1, "--repeat must be 1 or more; it is " + repeat);
        require(seed >= 0, "--seed must be 0 or more; it is " + seed);
        List<Cell> cells = cells();
        Plan plan = Plan.of(epochs, seed, repeat);
        IdxDataset dataset = IdxDataset.open(Objects.requireNonNull(data));
        Path page = out != null ? out : home.resolve(PAGE);
        Path partial = page.resolveSibling(page.getFileName() + ".partial");
        PartialResults results = isContinued ? PartialResults.goOn(partial, plan) : PartialResults.begin(partial, plan);
        try (TemporaryFolder folder = new TemporaryFolder();
                Programs programs =
                        new Programs(home, Files.createDirectories(folder.path().resolve("logs")));
                WorkerPool pool = new WorkerPool(programs);
                Accuracy accuracy = Accuracy.on(dataset)) {
            new ModesTable(plan, dataset, folder.path(), programs, pool, accuracy, results).measure(cells);
        }
        String table = Page.table(cells, results);
        if (only != null && out == null) {
            System.out.print(table);
        } else {
            String machine = Machine.describe(home, "./fleetgrad bench " + String.join(" ", arguments));
            Page.TABLE.replace(page, machine + "\n" + table);
        }
        results.delete();
        return 0;
    }

    private List<Cell> cells() {
        List<String> patterns = only;
        if (patterns == null) {
            return Cell.all();
        }
        for (String pattern : patterns) {
            require(
                    Cell.all().stream().anyMatch(cell -> cell.matches(pattern)),
                    "--only %s is not a cell; cells are like async/gap-aware/8/kills, with * for any part"
                            .formatted(pattern));
        }
        return Cell.all().stream()
                .filter(cell -> patterns.stream().anyMatch(cell::matches))
                .toList();
    }

    private void require(boolean holds, String message) {
        if (!holds && command != null) {
            throw new ParameterException(command.commandLine(), message);
        }
    }
}
