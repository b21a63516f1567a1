package org.fleetgrad.libtorch;

import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.jni.JniUtils;
import java.util.List;
import org.fleetgrad.libtorch.GraphSteps.NodeStep;
import org.fleetgrad.libtorch.Steps.Pass;
import org.fleetgrad.networks.graph.Reshaping;
import org.fleetgrad.networks.graph.Reshaping.Cat;
import org.fleetgrad.networks.graph.Reshaping.Constant;
import org.fleetgrad.networks.graph.Reshaping.Expand;
import org.fleetgrad.networks.graph.Reshaping.Pad;
import org.fleetgrad.networks.graph.Reshaping.Permute;
import org.fleetgrad.networks.graph.Reshaping.Reshape;
import org.fleetgrad.networks.graph.Reshaping.Rows;
import org.fleetgrad.networks.graph.Reshaping.Slice;
import org.fleetgrad.networks.graph.Size;
import org.fleetgrad.networks.graph.Table;

/** Compiles the operators of a graph that arrange values. */
final class ReshapingSteps {

    private ReshapingSteps() {}

    static NodeStep of(Reshaping operation) {
        // Java 17 has no switch over types.
        if (operation instanceof Reshape reshape) {
            return (x, pass) -> JniUtils.reshape(x[0], sides(reshape.sizes(), pass));
        } else if (operation instanceof Expand expand) {
            return (x, pass) -> JniUtils.broadcast(x[0], new Shape(sides(expand.sizes(), pass)));
        } else if (operation instanceof Permute permute) {
            long[] dimensions = longs(permute.dimensions());
            return (x, pass) -> JniUtils.permute(x[0], dimensions);
        } else if (operation instanceof Slice slice) {
            return (x, pass) -> JniUtils.slice(x[0], slice.dimension(), slice.start(), slice.end(), slice.step());
        } else if (operation instanceof Cat cat) {
            return (x, pass) -> JniUtils.cat(x, cat.dimension());
        } else if (operation instanceof Pad pad) {
            long[] sides = longs(pad.sides());
            return (x, pass) -> JniUtils.pad(x[0], sides, pad.value());
        }
        if (operation instanceof Rows rows) {
            return (x, pass) -> rows(x[0], rows.places());
        }
        Constant constant = (Constant) operation;
        Shape shape =
                new Shape(constant.shape().stream().mapToLong(Long::longValue).toArray());
        return (x, pass) ->
                (PtNDArray) pass.input().getManager().create(constant.table().numbers(), shape);
    }

    /** The places are made anew in each pass: thousands of nodes may read one table. */
    private static PtNDArray rows(PtNDArray x, Table table) {
        long[] places = table.places();
        long[] shape = x.getShape().getShape().clone();
        long rows = shape[0];
        shape[0] = places.length;
        try (PtNDArray indices = (PtNDArray) x.getManager().create(places);
                PtNDArray matrix =
                        JniUtils.reshape(x, new long[] {rows, x.getShape().size() / rows});
                PtNDArray picked = JniUtils.embedding(indices, matrix, false)) {
            return JniUtils.reshape(picked, shape);
        }
    }

    private static long[] sides(List<Size> sizes, Pass pass) {
        long samples = pass.input().getShape().get(0);
        return sizes.stream().mapToLong(size -> size.of(samples)).toArray();
    }

    private static long[] longs(List<Integer> numbers) {
        return numbers.stream().mapToLong(Integer::longValue).toArray();
    }
}
