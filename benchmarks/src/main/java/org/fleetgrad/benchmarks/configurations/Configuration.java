package org.fleetgrad.benchmarks.configurations;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** One row of the table: a recipe of recipes/pipeline with a number of stages, or of workers with {@code ddp}. */
record Configuration(String recipe, String dataset, String network, int stages) {

    static final Path RECIPES = Path.of("recipes", "pipeline");

    private static final String ONE_WORKER = "seq";

    /** Returns the rows of one dataset: each recipe with each number of stages; {@code seq} is always one stage. */
    static List<Configuration> all(Path home, String dataset, String network, List<Integer> stages) throws IOException {
        List<String> recipes;
        try (Stream<Path> files = Files.list(home.resolve(RECIPES))) {
            recipes = files.map(file -> String.valueOf(file.getFileName()))
                    .sorted()
                    .toList();
        }
        List<Configuration> rows = new ArrayList<>();
        for (String recipe : recipes) {
            for (int count : recipe.equals(ONE_WORKER) ? List.of(1) : stages) {
                rows.add(new Configuration(recipe, dataset, network, count));
            }
        }
        return rows;
    }

    /** Returns the row's name, such as {@code mnist/mnist-cnn/ws_msnag/4}. */
    String name() {
        return "%s/%s/%s/%d".formatted(dataset, network, recipe, stages);
    }
}
