package org.fleetgrad.inference.infer;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.fleetgrad.datasets.TableSchema;
import org.fleetgrad.datasets.table.RowEncoder;
import org.fleetgrad.files.text.Printable;
import org.fleetgrad.networks.TableTask;
import org.fleetgrad.serving.ImageShape;
import org.fleetgrad.serving.Images;
import org.fleetgrad.serving.SampleMemory;
import org.fleetgrad.serving.tables.UnknownCategory;
import org.jspecify.annotations.Nullable;

/**
 * The inputs of a network for a table: one for each column, by its name, as a client has the values; or the rows as the network takes
 * them, in one input. A column that a request does not have is missing.
 *
 * @param task   of the network
 * @param table  whose rows it takes, if its parameter set states that
 * @param most   maximum rows of a request
 * @param memory of the request
 */
record RowInputs(TableTask task, Optional<TableSchema> table, int most, SampleMemory.Lease memory) {

    private static final List<Datatype> TYPES =
            List.of(Datatype.FP64, Datatype.FP32, Datatype.INT64, Datatype.INT32, Datatype.BOOL, Datatype.BYTES);

    /** Returns whether a table takes whole rows: a column may have the name of their input. */
    static boolean takesWholeRows(Optional<TableSchema> table) {
        return table.stream()
                .flatMap(known -> known.columns().stream())
                .noneMatch(column -> column.name().equals(InferInput.WHOLE));
    }

    Images read(List<InferInput> inputs) {
        InferInput first = inputs.get(0);
        if (inputs.size() == 1 && first.name().equals(InferInput.WHOLE) && takesWholeRows(table)) {
            return rows(first);
        }
        return columns(
                inputs,
                table.orElseThrow(
                        () -> InferReader.malformed("the model states no columns; the input is '%s', [count, %d]"
                                .formatted(InferInput.WHOLE, task.inputSize()))));
    }

    /** Reads rows of plain values and indices. */
    private Images rows(InferInput input) {
        int width = task.inputSize();
        Datatype type = TensorValues.type(input, List.of(Datatype.FP32));
        TensorValues.requireData(input);
        if (input.shape().size() != 2 || input.shape().get(1) != width) {
            throw InferReader.malformed(
                    "the input '%s' has the shape %s; the model takes [count, %d], or an input for each column"
                            .formatted(input.name(), input.shape(), width));
        }
        float[] values = memory.floats(input.count(most), width);
        TensorValues.read(
                input, type, values.length, (index, value) -> values[index] = checked(index % width, index, value));
        return table.map(known -> Images.ofRows(known, values, List.of()))
                .orElseGet(() -> new Images(new ImageShape(1, 1, width), values));
    }

    private float checked(int place, int index, @Nullable Object value) {
        int indices = place < task.numbers() ? 0 : task.categories().get(place - task.numbers());
        float number = value == null ? Float.NaN : TensorValues.number(value);
        if (!Float.isFinite(number)) {
            throw InferReader.malformed("value %d of the input '%s' must be a finite number; it is %s"
                    .formatted(index, InferInput.WHOLE, number));
        }
        if (indices > 0 && !(number >= 0 && number < indices && number == Math.rint(number))) {
            throw InferReader.malformed("value %d of the input '%s' is an index of a category, from 0 to %d; it is %s"
                    .formatted(index, InferInput.WHOLE, indices - 1, number));
        }
        return number;
    }

    private Images columns(List<InferInput> inputs, TableSchema schema) {
        RowEncoder encoder = new RowEncoder(schema);
        int count = requireColumns(inputs, encoder);
        int width = schema.width();
        float[] values = memory.floats(count, width);
        for (int row = 0; row < count; row++) {
            encoder.begin(values, row * width);
        }
        List<UnknownCategory> unknown = new ArrayList<>();
        for (InferInput input : inputs) {
            TensorValues.read(input, TensorValues.type(input, TYPES), count, (row, value) -> {
                try {
                    encoder.put(
                            input.name(),
                            value,
                            values,
                            row * width,
                            (column, word) -> UnknownCategory.note(unknown, row, column, word));
                } catch (IllegalArgumentException unfit) {
                    throw InferReader.malformed("row %d cannot be read: %s".formatted(row, unfit.getMessage()));
                }
            });
        }
        return Images.ofRows(schema, values, unknown);
    }

    /** Checks that the inputs are columns of equally many rows, and returns how many. */
    private int requireColumns(List<InferInput> inputs, RowEncoder encoder) {
        Set<String> seen = new HashSet<>();
        for (InferInput input : inputs) {
            try {
                Object unused = encoder.column(input.name());
            } catch (IllegalArgumentException unknown) {
                throw InferReader.malformed(String.valueOf(unknown.getMessage()));
            }
            if (!seen.add(input.name())) {
                throw InferReader.malformed("the input '%s' is there twice".formatted(Printable.text(input.name())));
            }
            boolean isColumn = input.shape().size() == 1
                    || (input.shape().size() == 2 && input.shape().get(1) == 1);
            if (!isColumn || !input.shape().get(0).equals(inputs.get(0).shape().get(0))) {
                throw InferReader.malformed(
                        "the input '%s' has the shape %s; a column has [count] or [count, 1], and all the same count; that of '%s' is %s"
                                .formatted(
                                        Printable.text(input.name()),
                                        input.shape(),
                                        Printable.text(inputs.get(0).name()),
                                        inputs.get(0).shape()));
            }
        }
        return inputs.get(0).count(most);
    }
}
