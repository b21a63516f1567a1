package org.fleetgrad.inference.infer;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.fleetgrad.datasets.RowSchema;
import org.fleetgrad.datasets.TableSchema;
import org.fleetgrad.datasets.table.LabelsTarget;
import org.fleetgrad.datasets.table.NumberColumn;
import org.fleetgrad.networks.TableTask;
import org.fleetgrad.serving.SampleForm;
import org.jspecify.annotations.Nullable;

/**
 * An input or an output of a model, as its metadata list it.
 *
 * @param shape  its sizes; -1 is any
 * @param labels what each number of a row is about, in their order; absent where they are no labels
 */
public record TensorDescription(
        String name,
        String datatype,
        List<Long> shape,
        @Nullable List<String> labels) {

    private static final long ANY_COUNT = -1;

    public TensorDescription {
        shape = List.copyOf(shape);
    }

    private TensorDescription(String name, String datatype, List<Long> shape) {
        this(name, datatype, shape, null);
    }

    /**
     * Returns the inputs of a version. Those of a table are its columns, and in the end the whole rows, which a request may have in
     * place of all columns.
     */
    public static List<TensorDescription> inputs(SampleForm form) {
        TensorDescription whole = new TensorDescription(
                InferInput.WHOLE, "FP32", batchOf(form.network().inputShape()));
        Optional<TableSchema> table = form.table();
        if (form.isOfTexts()) {
            return List.of(new TensorDescription(InferInput.TEXT, "BYTES", List.of(ANY_COUNT)));
        }
        if (!(form.network().task() instanceof TableTask)) {
            return List.of(whole);
        }
        List<TensorDescription> all = new ArrayList<>();
        table.ifPresent(known -> known.columns().stream()
                .map(column -> new TensorDescription(
                        column.name(), column instanceof NumberColumn ? "FP64" : "BYTES", List.of(ANY_COUNT)))
                .forEach(all::add));
        if (RowInputs.takesWholeRows(table)) {
            all.add(whole);
        }
        return all;
    }

    /** Returns the outputs of a version. */
    public static List<TensorDescription> outputs(SampleForm form) {
        List<Long> shape = batchOf(form.network().outputShape());
        @Nullable
        List<String> labels = form.rows()
                .map(RowSchema::target)
                .filter(LabelsTarget.class::isInstance)
                .map(target -> ((LabelsTarget) target).labels())
                .orElse(null);
        return InferOutput.of(form.network()).stream()
                .map(output -> new TensorDescription(output.text(), output.datatype(), shape, labels))
                .toList();
    }

    private static List<Long> batchOf(List<Integer> sample) {
        return Stream.concat(Stream.of(ANY_COUNT), sample.stream().map(Integer::longValue))
                .toList();
    }
}
