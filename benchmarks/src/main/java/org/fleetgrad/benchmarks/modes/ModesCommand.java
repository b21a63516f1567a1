package org.fleetgrad.benchmarks.modes;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.fleetgrad.benchmarks.page.MarkedPart;
import org.fleetgrad.benchmarks.page.PageCommand;
import org.fleetgrad.benchmarks.page.ResultFile;
import org.fleetgrad.benchmarks.process.Programs;
import org.fleetgrad.benchmarks.training.Accuracy;
import org.fleetgrad.datasets.idx.IdxDataset;
import org.fleetgrad.datasets.shard.ShardSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code modes}. */
@Command(
        name = "modes",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Trains LeNet-5 on MNIST under every training mode, staleness rule and number of workers, with and"
                        + " without killing workers, and writes the table of final accuracies and times.")
public final class ModesCommand extends PageCommand {

    private static final MarkedPart TABLE =
            new MarkedPart("<!-- modes: begin; ./fleetgrad bench modes writes this -->", "<!-- modes: end -->");
    private static final Path PAGE = Path.of("docs", "modes.md");

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

    @Override
    public Integer call() throws Exception {
        require(epochs >= 1, "--epochs must be 1 or more; it is " + epochs);
        require(repeat >= 1, "--repeat must be 1 or more; it is " + repeat);
        require(seed >= 0, "--seed must be 0 or more; it is " + seed);
        List<Cell> cells = cells();
        Cell.Plan plan = new Cell.Plan(epochs, seed, repeat);
        IdxDataset dataset = IdxDataset.open(Objects.requireNonNull(data));
        Path page = out != null ? out : Programs.HOME.resolve(PAGE);
        Path partial = page.resolveSibling(page.getFileName() + ".partial");
        ResultFile<Measured> results = ResultFile.open(isContinued, partial, plan, Measured.class);
        try (Programs programs = new Programs();
                WorkerPool pool = new WorkerPool(programs);
                Accuracy accuracy = Accuracy.on(dataset)) {
            ShardSet shards = ShardSet.write(programs.folder(), "mnist", dataset.train(), dataset.test(), Cell.SHARDS);
            CellRun.Site site = new CellRun.Site(plan, shards, programs, pool, accuracy);
            List<ResultFile.Run<Measured>> runs = new ArrayList<>();
            for (int i = 0; i < repeat; i++) {
                int number = i;
                cells.forEach(cell ->
                        runs.add(new ResultFile.Run<>(cell.name(), number, () -> CellRun.measure(site, cell, number))));
            }
            results.measure(runs);
        }
        String table = Measured.table(cells, results);
        if (only != null && out == null) {
            out().print(table);
            out().flush();
        } else {
            TABLE.replace(page, head() + "\n" + table);
        }
        results.delete();
        return 0;
    }

    private List<Cell> cells() {
        List<String> patterns = only;
        if (patterns == null) {
            return Cell.all();
        }
        List<Cell> cells = Cell.all();
        for (String pattern : patterns) {
            require(
                    cells.stream().anyMatch(cell -> cell.matches(pattern)),
                    "--only %s is not a cell; cells are like async/gap-aware/8/kills, with * for any part"
                            .formatted(pattern));
        }
        return cells.stream()
                .filter(cell -> patterns.stream().anyMatch(cell::matches))
                .toList();
    }
}
