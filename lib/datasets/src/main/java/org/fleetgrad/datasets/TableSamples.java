package org.fleetgrad.datasets;

import java.util.Arrays;
import java.util.List;
import org.fleetgrad.datasets.table.LabelsTarget;
import org.fleetgrad.networks.ClassWeights;

/**
 * Rows of a table, or series, as a network takes them. Immutable and thread-safe, provided that the arrays passed to it are not modified.
 *
 * @param values  of all rows, one after the other: plain values, then indices for embeddings
 * @param width   values of a row
 * @param targets of all rows, likewise: the number of a class, or a number in standard deviations from the mean, or 0 or 1 of each label
 * @param targetCount  targets of a row: 1, but of labels one for each
 * @param weights one of each row, in the loss; empty if all count alike
 */
public record TableSamples(float[] values, int width, float[] targets, int targetCount, float[] weights)
        implements Samples {

    /** Most values of the rows of a dataset, the held-out ones too. */
    public static final long MOST_VALUES = 1 << 28;

    /**
     * Checks the sizes.
     *
     * @throws IllegalArgumentException if there are no rows, or the values are not those of as many rows as targets
     */
    public TableSamples {
        if (width < 1
                || targetCount < 1
                || targets.length < 1
                || targets.length % targetCount != 0
                || values.length != (long) (targets.length / targetCount) * width) {
            throw new IllegalArgumentException(
                    "%d values are not %d rows of %d values".formatted(values.length, targets.length, width)
                            + (targetCount == 1 ? "" : " with %d targets each".formatted(targetCount)));
        }
        if (weights.length > 0 && weights.length != targets.length / targetCount) {
            throw new IllegalArgumentException(
                    "%d rows have %d weights".formatted(targets.length / targetCount, weights.length));
        }
    }

    /** Takes rows that count alike. */
    public TableSamples(float[] values, int width, float[] targets, int targetCount) {
        this(values, width, targets, targetCount, new float[0]);
    }

    /** Returns rows of one value less, the last, which is their weight. */
    public TableSamples weighted() {
        int rest = width - 1;
        int count = count();
        float[] inputs = new float[count * rest];
        float[] last = new float[count];
        for (int row = 0; row < count; row++) {
            System.arraycopy(values, row * width, inputs, row * rest, rest);
            last[row] = values[row * width + rest];
        }
        return new TableSamples(inputs, rest, targets, targetCount, last);
    }

    /** Takes rows with one target each. */
    public TableSamples(float[] values, int width, float[] targets) {
        this(values, width, targets, 1);
    }

    @Override
    public int count() {
        return targets.length / targetCount;
    }

    @Override
    public TableSamples slice(int from, int to) {
        if (from < 0 || from >= to || to > count()) {
            throw new IllegalArgumentException(
                    "a slice from %d to %d is not within %d samples".formatted(from, to, count()));
        }
        return new TableSamples(
                Arrays.copyOfRange(values, from * width, to * width),
                width,
                Arrays.copyOfRange(targets, from * targetCount, to * targetCount),
                targetCount,
                weights.length == 0 ? weights : Arrays.copyOfRange(weights, from, to));
    }

    /**
     * Writes a row.
     *
     * @param inputs  of a batch, which gets the values
     * @param targets of a batch, which likewise gets the targets
     * @param place   of the row in the batch
     */
    public void read(int index, float[] inputs, float[] targets, int place) {
        System.arraycopy(values, index * width, inputs, place * width, width);
        System.arraycopy(this.targets, index * targetCount, targets, place * targetCount, targetCount);
    }

    /** Returns the schema of rows that have so many values. */
    static RowSchema requireWidth(Schema schema, int width) {
        if (!(schema instanceof RowSchema table)) {
            throw new IllegalArgumentException(
                    "the samples are rows of numbers; the description is of " + schema.task());
        }
        if (table.width() != width) {
            throw new IllegalArgumentException(
                    "the description states rows of %d values, they have %d".formatted(table.width(), width));
        }
        return table;
    }

    @Override
    public void requireFit(Schema schema) {
        RowSchema table = requireWidth(schema, width);
        if (table.isWeighted() != (weights.length > 0)) {
            throw new IllegalArgumentException("the description states rows %s weights, they have %d"
                    .formatted(table.isWeighted() ? "with" : "without", weights.length));
        }
        for (int row = 0; row < weights.length; row++) {
            if (!ClassWeights.isFactor(weights[row])) {
                throw new IllegalArgumentException(
                        "the weight of row %d is %s; it must be %s".formatted(row, weights[row], ClassWeights.RULE));
            }
        }
        List<Integer> indices = table.categories();
        int numbers = table.numbers();
        requireTargets(table);
        int answers =
                table.target() instanceof LabelsTarget ? 2 : table.classes().size();
        for (int row = 0; row < count(); row++) {
            for (int i = 0; i < width; i++) {
                int most = i < numbers ? 0 : indices.get(i - numbers);
                requireValue(row, i, values[row * width + i], most);
            }
            for (int i = 0; i < targetCount; i++) {
                requireValue(row, -1, targets[row * targetCount + i], answers);
            }
        }
    }

    private void requireTargets(RowSchema table) {
        int stated = table.target().columns().size();
        if (stated != targetCount) {
            throw new IllegalArgumentException(
                    "the description states %d targets of a row, they have %d".formatted(stated, targetCount));
        }
    }

    /** Checks one: of {@code most} things it is one, of 0 it is any finite number. The place of the target is -1. */
    private static void requireValue(int row, int place, float value, int most) {
        if (most == 0 ? !Float.isFinite(value) : !(value >= 0 && value < most && value == (int) value)) {
            throw new IllegalArgumentException("%s of row %d is %s; it must be %s"
                    .formatted(
                            place < 0 ? "the target" : "value " + place,
                            row,
                            value,
                            most == 0 ? "finite" : "a whole number from 0 to %d".formatted(most - 1)));
        }
    }
}
