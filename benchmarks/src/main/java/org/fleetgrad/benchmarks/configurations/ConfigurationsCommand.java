package org.fleetgrad.benchmarks.configurations;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.fleetgrad.benchmarks.page.MarkedPart;
import org.fleetgrad.benchmarks.page.PageCommand;
import org.fleetgrad.benchmarks.page.ResultFile;
import org.fleetgrad.benchmarks.process.Programs;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code pipeline-table}. */
@Command(
        name = "pipeline-table",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Trains every configuration of recipes/pipeline with several seeds and numbers of stages, mnist-cnn"
                        + " on MNIST and resnet20 on CIFAR-10, and writes the table of accuracy, speed, bubble and staleness."
                        + " With --tinyshakespeare it trains those of recipes/gpt2 instead, and writes the table of losses."
                        + " The whole takes hours: --continue goes on where an aborted run stopped.")
public final class ConfigurationsCommand extends PageCommand {

    private static final MarkedPart TABLE = new MarkedPart(
            "<!-- configurations: begin; ./fleetgrad bench pipeline-table writes this -->",
            "<!-- configurations: end -->");
    private static final MarkedPart TEXT_TABLE = new MarkedPart(
            "<!-- gpt2 configurations: begin; ./fleetgrad bench pipeline-table --tinyshakespeare DIR writes this -->",
            "<!-- gpt2 configurations: end -->");
    private static final String PIPELINE = "pipeline";
    private static final List<String> GPT2 = List.of("gpt2", "gpt2/tied");
    private static final Path PAGE = Path.of("docs", "pipeline-cures.md");

    @Option(
            names = "--mnist",
            paramLabel = "DIR",
            description = "Folder with MNIST; without it the table has no row of MNIST")
    private @Nullable Path mnist;

    @Option(
            names = "--cifar10",
            paramLabel = "DIR",
            description = "Folder with CIFAR-10; without it the table has no row of CIFAR-10")
    private @Nullable Path cifar;

    @Option(
            names = "--tinyshakespeare",
            paramLabel = "DIR",
            description = "Folder with tiny Shakespeare: the recipes of GPT-2 on it, in a table of their own")
    private @Nullable Path text;

    @Option(
            names = "--stages",
            split = ",",
            defaultValue = "2,4",
            description = "Number of stages, of each run (default: ${DEFAULT-VALUE})")
    private List<Integer> stages = List.of();

    @Option(
            names = "--seeds",
            split = ",",
            defaultValue = "1,2,3",
            description = "Seed of each run (default: ${DEFAULT-VALUE})")
    private List<Integer> seeds = List.of();

    @Option(
            names = "--only",
            paramLabel = "RECIPES",
            split = ",",
            description = "Measure only these recipes, such as ws,ws_msnag (default: all)")
    private @Nullable List<String> only;

    @Option(names = "--epochs", defaultValue = "1", description = "Passes over the dataset (default: ${DEFAULT-VALUE})")
    private int epochs;

    @Option(
            names = "--max-steps",
            defaultValue = "0",
            description = "Stop after this many steps of a run; 0: no limit (default: ${DEFAULT-VALUE})")
    private long maxSteps;

    @Option(
            names = "--places",
            defaultValue = "processes",
            description = "Where stages run: threads, processes, docker (default: ${DEFAULT-VALUE})")
    private String places = "processes";

    @Option(
            names = "--cut",
            defaultValue = "auto",
            description =
                    "Where the network is cut, as for fleetgrad pipeline; bytes makes runs that can be repeated bit"
                            + " by bit (default: ${DEFAULT-VALUE})")
    private String cut = "auto";

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "Write to this page, of which the table is replaced (default: docs/pipeline-cures.md of the"
                    + " checkout)")
    private @Nullable Path out;

    @Option(names = "--continue", description = "Keep the results of an aborted run with the same settings")
    private boolean isContinued;

    @Override
    public Integer call() throws Exception {
        boolean ofImages = mnist != null || cifar != null;
        require(
                ofImages || text != null,
                "there is nothing to train on: write --mnist DIR, --cifar10 DIR or both, or --tinyshakespeare DIR");
        require(
                !ofImages || text == null,
                "a table is of images or of a text: write --tinyshakespeare without --mnist and --cifar10");
        require(epochs >= 1, "--epochs must be 1 or more; it is " + epochs);
        require(maxSteps >= 0, "--max-steps must be 0 or more; it is " + maxSteps);
        Map<Configuration, Path> rows = new LinkedHashMap<>();
        add(rows, PIPELINE, "mnist", "mnist-cnn", mnist);
        add(rows, PIPELINE, "cifar10", "resnet20", cifar);
        for (String folder : GPT2) {
            add(rows, folder, "tinyshakespeare", Configuration.OF_RECIPE, text);
        }
        require(
                !rows.isEmpty(),
                "--only %s is no recipe of recipes/%s".formatted(only, ofImages ? PIPELINE : GPT2.get(0)));
        Measure measure = ofImages ? Measure.ACCURACY : Measure.LOSS;
        PipelineProcess.Plan plan = new PipelineProcess.Plan(epochs, maxSteps, places, cut);
        Path page = out != null ? out : Programs.HOME.resolve(PAGE);
        Path partial = page.resolveSibling(page.getFileName() + ".partial");
        ResultFile<Trained> results = ResultFile.open(isContinued, partial, plan, Trained.class);
        try (Programs programs = new Programs()) {
            PipelineProcess process = new PipelineProcess(programs, plan);
            List<ResultFile.Run<Trained>> runs = new ArrayList<>();
            rows.forEach((row, data) -> seeds.forEach(seed ->
                    runs.add(new ResultFile.Run<>(row.name(), seed, () -> process.train(row, data, seed, measure)))));
            results.measure(runs);
        }
        (ofImages ? TABLE : TEXT_TABLE)
                .replace(page, head() + "\n" + Trained.table(List.copyOf(rows.keySet()), results, measure));
        return 0;
    }

    private void add(Map<Configuration, Path> rows, String folder, String dataset, String network, @Nullable Path data)
            throws IOException {
        if (data != null) {
            for (Configuration row : Configuration.all(Programs.HOME, folder, dataset, network, stages)) {
                if (only == null || only.contains(row.recipeName())) {
                    rows.put(row, data.toAbsolutePath());
                }
            }
        }
    }
}
