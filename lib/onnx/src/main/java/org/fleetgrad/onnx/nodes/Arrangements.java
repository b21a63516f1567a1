package org.fleetgrad.onnx.nodes;

import java.util.List;
import java.util.stream.LongStream;
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
import org.fleetgrad.onnx.file.Attributes;
import org.fleetgrad.onnx.file.OnnxGraph;

/**
 * Nodes of operators that arrange values. A side that grows with the samples is known only when the model runs.
 *
 * @param input what the network takes, whose first side is the samples
 */
record Arrangements(OnnxGraph graph, String input) {

    String add(Reshaping operation, String[] x, List<List<Long>> shapes) {
        // Java 17 has no switch over types.
        if (operation instanceof Reshape reshape) {
            return graph.add("Reshape", Attributes.none(), x[0], sides(reshape.sizes(), true));
        } else if (operation instanceof Expand expand) {
            return graph.add("Expand", Attributes.none(), x[0], sides(expand.sizes(), false));
        } else if (operation instanceof Permute permute) {
            long[] order =
                    permute.dimensions().stream().mapToLong(Integer::longValue).toArray();
            return graph.add("Transpose", Attributes.none().with("perm", order), x[0]);
        } else if (operation instanceof Slice slice) {
            return graph.add(
                    "Slice",
                    Attributes.none(),
                    x[0],
                    graph.integers(slice.start()),
                    graph.integers(slice.end()),
                    graph.integers(slice.dimension()),
                    graph.integers(slice.step()));
        } else if (operation instanceof Cat cat) {
            return graph.add("Concat", Attributes.none().with("axis", cat.dimension()), x);
        } else if (operation instanceof Pad pad) {
            return graph.add(
                    "Pad",
                    Attributes.none(),
                    x[0],
                    graph.integers(around(pad, shapes.get(0).size())),
                    graph.constant(pad.value()));
        } else if (operation instanceof Rows rows) {
            String places = graph.integers(rows.places().places());
            return graph.add("Gather", Attributes.none().with("axis", 0L), x[0], places);
        }
        Constant constant = (Constant) operation;
        return graph.floats(constant.shape(), constant.table().numbers());
    }

    /** PyTorch counts pairs from the last dimension on; ONNX has all begins and then all ends. */
    private static long[] around(Pad pad, int rank) {
        long[] around = new long[2 * rank];
        for (int i = 0; i < pad.sides().size() / 2; i++) {
            around[rank - 1 - i] = pad.sides().get(2 * i);
            around[2 * rank - 1 - i] = pad.sides().get(2 * i + 1);
        }
        return around;
    }

    /**
     * @param canInfer whether -1 stands for the one side that is not known
     */
    private String sides(List<Size> sizes, boolean canInfer) {
        long unknown = sizes.stream().filter(Size::isOfBatch).count();
        if (unknown == 0 || (unknown == 1 && canInfer)) {
            return graph.integers(sizes.stream()
                    .flatMapToLong(size -> LongStream.of(size.isOfBatch() ? -1 : size.count()))
                    .toArray());
        }
        String samples = graph.add("Shape", Attributes.none().with("start", 0L).with("end", 1L), input);
        String[] sides = sizes.stream().map(size -> side(size, samples)).toArray(String[]::new);
        return graph.add("Concat", Attributes.none().with("axis", 0L), sides);
    }

    private String side(Size size, String samples) {
        String count = graph.integers(size.count());
        return size.isOfBatch() ? graph.add("Mul", Attributes.none(), samples, count) : count;
    }
}
