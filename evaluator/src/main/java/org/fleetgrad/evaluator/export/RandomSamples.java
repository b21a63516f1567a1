package org.fleetgrad.evaluator.export;

import java.util.List;
import java.util.SplittableRandom;
import org.fleetgrad.datasets.TableSchema;
import org.fleetgrad.datasets.table.CategoryColumn;
import org.fleetgrad.datasets.table.DateColumn;
import org.fleetgrad.datasets.table.NumberColumn;
import org.fleetgrad.datasets.table.TableColumn;
import org.fleetgrad.networks.TableTask;
import org.fleetgrad.networks.Task.TextClassification;
import org.fleetgrad.onnx.form.ImageForm;
import org.fleetgrad.onnx.form.RowForm;
import org.fleetgrad.onnx.form.SampleForm;
import org.fleetgrad.serving.ServedNetwork;

/** Samples that a network can compute, drawn at random: each by its index alone. */
record RandomSamples(SampleForm form, ServedNetwork network) {

    private static final long SEED = 20_260_101;
    private static final double SHARE_MISSING = 0.1;
    private static final int DAYS = 20_000;
    private static final int MINUTES = 24 * 60;

    ComparedSamples enough() {
        int count = ComparedSamples.enough(network);
        return new ComparedSamples(
                "%d random samples (--data compares on real ones)".formatted(count),
                count,
                (index, inputs, targets, place) -> draw(index, inputs, place * network.inputSize()));
    }

    private void draw(int index, float[] inputs, int at) {
        SplittableRandom random = new SplittableRandom(SEED + index);
        if (form instanceof RowForm rows) {
            draw(rows.schema(), random, inputs, at);
            return;
        }
        int size = network.inputSize();
        int vocabulary = network.task().tokens().orElse(0);
        for (int i = 0; i < size; i++) {
            inputs[at + i] = vocabulary > 0 ? random.nextInt(vocabulary) : number(random, i, size);
        }
        if (network.task() instanceof TextClassification text && inputs[at] == text.padding()) {
            // No text begins with padding.
            inputs[at] = text.padding() == 0 ? 1 : 0;
        }
        if (network.task() instanceof TableTask table) {
            for (int i = 0; i < table.categories().size(); i++) {
                inputs[at + table.numbers() + i] =
                        random.nextInt(table.categories().get(i));
            }
        }
    }

    /** A pixel is one of an image's; any other number is normal, as scaled ones are. */
    private float number(SplittableRandom random, int place, int size) {
        if (form instanceof ImageForm images) {
            int channel = place / (size / images.shape().get(0));
            return ((float) random.nextDouble() - images.normalization().mean().get(channel))
                    / images.normalization().std().get(channel);
        }
        return (float) gaussian(random);
    }

    /** By G. Box and M. Muller, 1958. */
    private static double gaussian(SplittableRandom random) {
        return Math.sqrt(-2 * Math.log(1 - random.nextDouble())) * Math.cos(2 * Math.PI * random.nextDouble());
    }

    private static void draw(TableSchema schema, SplittableRandom random, float[] inputs, int at) {
        int[] places = schema.places();
        List<TableColumn> columns = schema.columns();
        for (int i = 0; i < places.length; i++) {
            columns.get(i).encode(value(columns.get(i), random), inputs, at + places[i]);
        }
    }

    private static String value(TableColumn column, SplittableRandom random) {
        if (random.nextDouble() < SHARE_MISSING) {
            return "";
        }
        // Java 17 has no switch over types.
        if (column instanceof NumberColumn number) {
            return Double.toString(number.mean() + number.std() * gaussian(random));
        } else if (column instanceof CategoryColumn category) {
            return category.values().get(random.nextInt(category.values().size()));
        }
        boolean hasTime = ((DateColumn) column).hasTime();
        String day = java.time.LocalDate.ofEpochDay(random.nextInt(DAYS)).toString();
        int minute = random.nextInt(MINUTES);
        return hasTime ? "%s %02d:%02d".formatted(day, minute / 60, minute % 60) : day;
    }
}
