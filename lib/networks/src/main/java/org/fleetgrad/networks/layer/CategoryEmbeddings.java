package org.fleetgrad.networks.layer;

import java.util.List;
import java.util.stream.IntStream;

/**
 * Replaces the last values of a row of a table, each the number of a category's value, by a learned row for each: from [numbers +
 * categories] to [numbers + widths]. Tensors {@code 0.weight}, {@code 1.weight} and so on, each [rows, width], initially normal, as
 * PyTorch's {@code Embedding}.
 *
 * @param numbers plain values of a row, which stay as they are
 * @param tables  one for each category
 */
public record CategoryEmbeddings(int numbers, List<Table> tables) implements Layer {

    private static final int MOST_WIDTH = 600;

    public CategoryEmbeddings {
        tables = List.copyOf(tables);
        if (tables.isEmpty()) {
            throw new IllegalArgumentException("there is no category to embed");
        }
    }

    /**
     * The rows of one category.
     *
     * @param rows  one for each value
     * @param width features of a value
     */
    public record Table(int rows, int width) {

        public Table {
            Shapes.requirePositive("an embedding of a category", rows, width);
        }

        /** Makes a table of the usual width, {@code min(600, round(1.6 rows^0.56))}, as fast.ai's library has it. */
        public static Table of(int rows) {
            return new Table(rows, (int) Math.min(MOST_WIDTH, Math.round(1.6 * StrictMath.pow(rows, 0.56))));
        }
    }

    @Override
    public List<LayerTensor> tensors() {
        return IntStream.range(0, tables.size())
                .mapToObj(i -> LayerTensor.trainable(
                        i + ".weight",
                        new InitialValues.Normal(1),
                        tables.get(i).rows(),
                        tables.get(i).width()))
                .toList();
    }

    @Override
    public List<Integer> output(List<Integer> input) {
        int expected = numbers + tables.size();
        if (!input.equals(List.of(expected))) {
            throw new IllegalArgumentException(
                    "embeddings of categories take [%d]; they get %s".formatted(expected, input));
        }
        return List.of(numbers + tables.stream().mapToInt(Table::width).sum());
    }
}
