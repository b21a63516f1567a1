package org.fleetgrad.datasets.shard;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.fleetgrad.datasets.Labels;
import org.fleetgrad.datasets.RowSchema;
import org.fleetgrad.datasets.TableSamples;
import org.fleetgrad.datasets.shard.InvalidShardException.ShardRule;
import org.fleetgrad.datasets.table.LabelsTarget;
import org.fleetgrad.datasets.table.TableTarget.ClassTarget;
import org.fleetgrad.datasets.table.TableTarget.NumberTarget;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.tensor.DType;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;

/**
 * Rows of a table, or series, as safetensors: {@code values} F32 [n, width], and {@code targets} F32 [n]; of classes in place of them {@code labels} as
 * those of images; of several labels {@code labels} U8 [n, labels], 0 or 1; of weighted rows also {@code weights} F32 [n].
 */
final class TableData {

    private static final String VALUES = "values";
    private static final String TARGETS = "targets";
    private static final String WEIGHTS = "weights";

    private TableData() {}

    static ByteBuffer encode(TableSamples samples, RowSchema schema) {
        long count = samples.count();
        List<TensorSpec> tensors = new ArrayList<>();
        tensors.add(new TensorSpec(VALUES, DType.F32, List.of(count, (long) samples.width())));
        TensorSpec targets = targets(schema, count);
        tensors.add(targets);
        if (schema.isWeighted()) {
            tensors.add(new TensorSpec(WEIGHTS, DType.F32, List.of(count)));
        }
        TensorLayout layout = TensorLayout.inOrder(tensors);
        ByteBuffer data =
                ByteBuffer.allocate(Math.toIntExact(layout.byteLength())).order(ByteOrder.LITTLE_ENDIAN);
        put(samples.values(), data);
        if (schema.target() instanceof LabelsTarget) {
            for (float target : samples.targets()) {
                data.put((byte) target);
            }
        } else if (schema.target() instanceof ClassTarget) {
            ShardData.putLabels(labels(samples.targets()), targets.dtype(), data);
        } else {
            put(samples.targets(), data);
        }
        put(samples.weights(), data);
        return Safetensors.encode(new TensorSet(layout, data.flip(), Map.of()));
    }

    private static TensorSpec targets(RowSchema schema, long count) {
        if (schema.target() instanceof LabelsTarget target) {
            return new TensorSpec(ShardData.LABELS, DType.U8, shape(target, count));
        }
        return schema.target() instanceof ClassTarget target
                ? new TensorSpec(
                        ShardData.LABELS,
                        ShardData.typeOfLabels(target.classes().size()),
                        List.of(count))
                : new TensorSpec(TARGETS, DType.F32, List.of(count));
    }

    private static List<Long> shape(LabelsTarget target, long count) {
        return List.of(count, (long) target.columns().size());
    }

    private static void put(float[] values, ByteBuffer data) {
        for (float value : values) {
            data.putFloat(value);
        }
    }

    private static Labels labels(float[] targets) {
        int[] labels = new int[targets.length];
        for (int i = 0; i < labels.length; i++) {
            labels[i] = (int) targets[i];
        }
        return Labels.of(labels);
    }

    /** Decodes the samples that a description describes. */
    static TableSamples decode(String source, TensorSet tensors, DatasetDescription description, RowSchema schema)
            throws InvalidShardException {
        boolean hasLabels = !(schema.target() instanceof NumberTarget);
        int expected = schema.isWeighted() ? 3 : 2;
        if (tensors.layout().size() != expected) {
            throw new InvalidShardException(
                    source,
                    ShardRule.TENSORS,
                    "%s has %d tensors; a shard of rows must have %d, %s and %s%s"
                            .formatted(
                                    ShardArchive.DATA,
                                    tensors.layout().size(),
                                    expected,
                                    VALUES,
                                    hasLabels ? ShardData.LABELS : TARGETS,
                                    schema.isWeighted() ? " and " + WEIGHTS : ""));
        }
        long count = description.range().count();
        ShardData.requireTensor(source, tensors, VALUES, List.of(DType.F32), List.of(count, (long) schema.width()));
        float[] targets;
        if (schema.target() instanceof LabelsTarget target) {
            ShardData.requireTensor(source, tensors, ShardData.LABELS, List.of(DType.U8), shape(target, count));
            targets = bytes(tensors, ShardData.LABELS);
        } else if (schema.target() instanceof ClassTarget target) {
            ShardData.requireTensor(source, tensors, ShardData.LABELS, List.of(DType.U8, DType.I64), List.of(count));
            Labels labels = ShardData.labels(source, tensors, target.classes().size());
            targets = new float[labels.count()];
            for (int i = 0; i < targets.length; i++) {
                targets[i] = labels.get(i);
            }
        } else {
            ShardData.requireTensor(source, tensors, TARGETS, List.of(DType.F32), List.of(count));
            targets = floats(tensors, TARGETS);
        }
        float[] weights = {};
        if (schema.isWeighted()) {
            ShardData.requireTensor(source, tensors, WEIGHTS, List.of(DType.F32), List.of(count));
            weights = floats(tensors, WEIGHTS);
        }
        try {
            TableSamples samples = new TableSamples(
                    floats(tensors, VALUES),
                    schema.width(),
                    targets,
                    schema.target().columns().size(),
                    weights);
            samples.requireFit(schema);
            return samples;
        } catch (IllegalArgumentException unfit) {
            throw new InvalidShardException(source, ShardRule.TENSORS, String.valueOf(unfit.getMessage()), unfit);
        }
    }

    private static float[] bytes(TensorSet tensors, String name) {
        ByteBuffer bytes = tensors.bytes(name).orElseThrow();
        float[] values = new float[bytes.remaining()];
        for (int i = 0; i < values.length; i++) {
            values[i] = Byte.toUnsignedInt(bytes.get());
        }
        return values;
    }

    private static float[] floats(TensorSet tensors, String name) {
        ByteBuffer bytes = tensors.bytes(name).orElseThrow().order(ByteOrder.LITTLE_ENDIAN);
        float[] values = new float[bytes.remaining() / Float.BYTES];
        bytes.asFloatBuffer().get(values);
        return values;
    }
}
