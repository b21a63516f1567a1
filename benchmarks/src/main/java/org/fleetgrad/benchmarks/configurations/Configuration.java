package org.fleetgrad.benchmarks.configurations;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * One row of a table: a recipe with a number of stages, or of workers with {@code ddp}.
 *
 * @param recipe  its path below the folder of all recipes, such as {@code pipeline/ws}
 * @param network what is trained; {@link #OF_RECIPE} where the recipe names it
 */
record Configuration(String recipe, String dataset, String network, int stages) {

    static final Path RECIPES = Path.of("recipes");

    /** The network of a recipe that names one. */
    static final String OF_RECIPE = "gpt2";

    private static final String ONE_WORKER = "seq";

    /** Returns the rows of one dataset: each recipe of a folder with each number of stages; {@code seq} is always one stage. */
    static List<Configuration> all(Path home, String folder, String dataset, String network, List<Integer> stages)
            throws IOException {
        List<String> recipes;
        try (Stream<Path> files = Files.list(home.resolve(RECIPES).resolve(folder))) {
            recipes = files.filter(Files::isRegularFile)
                    .map(file -> String.valueOf(file.getFileName()))
                    .sorted()
                    .toList();
        }
        List<Configuration> rows = new ArrayList<>();
        for (String recipe : recipes) {
            for (int count : recipe.equals(ONE_WORKER) ? List.of(1) : stages) {
                rows.add(new Configuration(folder + "/" + recipe, dataset, network, count));
            }
        }
        return rows;
    }

    /** Returns the name of the recipe without its folder, such as {@code ws}. */
    String recipeName() {
        return recipe.substring(recipe.lastIndexOf('/') + 1);
    }

    /** Returns the recipe below its first folder, such as {@code ws} or {@code tied/ws}. */
    String recipeInFolder() {
        return recipe.substring(recipe.indexOf('/') + 1);
    }

    /** Returns the row's name, such as {@code mnist/mnist-cnn/pipeline/ws_msnag/4}. */
    String name() {
        return "%s/%s/%s/%d".formatted(dataset, network, recipe, stages);
    }
}
