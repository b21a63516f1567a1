package org.fleetgrad.onnx.nodes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.fleetgrad.onnx.file.Attributes;
import org.fleetgrad.onnx.file.OnnxGraph;

/**
 * Nodes of poolings over the last one or two dimensions. Where runtimes differ, in windows that are partly outside, the padding is a node of
 * its own.
 */
final class Pools {

    /** Samples and channels come before the sides. */
    private static final int BEFORE = 2;

    private Pools() {}

    /**
     * Windows along each side.
     *
     * @param sides  of the input
     * @param places of the output
     */
    record Windows(long[] sides, long[] places, long[] kernel, long[] stride, long[] padding) {

        /** Returns how many values after the input the last window reads. */
        private long behind(int side) {
            return Math.max(0, (places[side] - 1) * stride[side] + kernel[side] - sides[side] - padding[side]);
        }

        private boolean isEven() {
            for (int i = 0; i < sides.length; i++) {
                if (behind(i) > padding[i]) {
                    return false;
                }
            }
            return true;
        }

        private long[] around() {
            int count = sides.length;
            long[] around = new long[2 * count];
            for (int i = 0; i < count; i++) {
                around[i] = padding[i];
                around[count + i] = isEven() ? padding[i] : behind(i);
            }
            return around;
        }
    }

    /** The greatest value of each window. */
    static String greatest(OnnxGraph graph, String x, Windows windows) {
        Attributes attributes =
                Attributes.none().with("kernel_shape", windows.kernel()).with("strides", windows.stride());
        if (windows.isEven()) {
            return graph.add("MaxPool", attributes.with("pads", windows.around()), x);
        }
        return graph.add("MaxPool", attributes, padded(graph, x, windows, Double.NEGATIVE_INFINITY));
    }

    /** The mean of each window, whose padding counts if {@code countsPadding}; what is beyond it never counts. */
    static String mean(OnnxGraph graph, String x, Windows windows, boolean countsPadding) {
        boolean isPadded = Arrays.stream(windows.around()).anyMatch(side -> side > 0);
        String around = isPadded ? padded(graph, x, windows, 0) : x;
        String mean = graph.add(
                "AveragePool",
                Attributes.none().with("kernel_shape", windows.kernel()).with("strides", windows.stride()),
                around);
        if (!isPadded) {
            return mean;
        }
        return graph.add("Mul", Attributes.none(), mean, corrections(graph, windows, countsPadding));
    }

    /** The values of a window through those that count, for each place. */
    private static String corrections(OnnxGraph graph, Windows windows, boolean countsPadding) {
        int sides = windows.sides().length;
        float[] all = {1};
        List<Long> shape = new ArrayList<>();
        for (int side = 0; side < sides; side++) {
            int places = (int) windows.places()[side];
            float[] next = new float[all.length * places];
            for (int i = 0; i < next.length; i++) {
                next[i] = all[i / places] * correction(windows, side, i % places, countsPadding);
            }
            all = next;
            shape.add((long) places);
        }
        return graph.floats(shape, all);
    }

    private static float correction(Windows windows, int side, int place, boolean countsPadding) {
        long outside = countsPadding ? windows.padding()[side] : 0;
        long begin = place * windows.stride()[side] - windows.padding()[side];
        long end = begin + windows.kernel()[side];
        long counted = Math.min(end, windows.sides()[side] + outside) - Math.max(begin, -outside);
        return (float) windows.kernel()[side] / counted;
    }

    private static String padded(OnnxGraph graph, String x, Windows windows, double value) {
        long[] around = windows.around();
        int sides = windows.sides().length;
        long[] pads = new long[2 * (BEFORE + sides)];
        System.arraycopy(around, 0, pads, BEFORE, sides);
        System.arraycopy(around, sides, pads, 2 * BEFORE + sides, sides);
        return graph.add("Pad", Attributes.none(), x, graph.integers(pads), graph.constant(value));
    }

    /** Means of as many windows as {@code places} says: window i is from floor(i side / places) to ceil((i + 1) side / places). */
    static String adaptiveMean(OnnxGraph graph, String x, long[] sides, long[] places) {
        if (areWhole(sides, places)) {
            return mean(graph, x, touching(sides, places), true);
        }
        // A mean along a side is a product with a matrix of shares.
        String result = x;
        for (int side = 0; side < sides.length; side++) {
            boolean isLast = side == sides.length - 1;
            String shares = shares(graph, (int) sides[side], (int) places[side], isLast);
            result = isLast
                    ? graph.add("MatMul", Attributes.none(), result, shares)
                    : graph.add("MatMul", Attributes.none(), shares, result);
        }
        return result;
    }

    private static String shares(OnnxGraph graph, int side, int places, boolean isTurned) {
        float[] shares = new float[side * places];
        for (int place = 0; place < places; place++) {
            int begin = begin(place, side, places);
            int end = end(place, side, places);
            for (int i = begin; i < end; i++) {
                shares[isTurned ? i * places + place : place * side + i] = 1f / (end - begin);
            }
        }
        return graph.floats(
                isTurned ? List.of((long) side, (long) places) : List.of((long) places, (long) side), shares);
    }

    /** Greatest values of windows as {@link #adaptiveMean} has them. */
    static String adaptiveGreatest(OnnxGraph graph, String x, long[] sides, long[] places) {
        if (areWhole(sides, places)) {
            return greatest(graph, x, touching(sides, places));
        }
        String result = x;
        for (int side = 0; side < sides.length; side++) {
            long axis = (long) BEFORE + side;
            int count = (int) places[side];
            String[] parts = new String[count];
            for (int place = 0; place < count; place++) {
                String window = graph.add(
                        "Slice",
                        Attributes.none(),
                        result,
                        graph.integers(begin(place, (int) sides[side], count)),
                        graph.integers(end(place, (int) sides[side], count)),
                        graph.integers(axis));
                parts[place] = graph.add("ReduceMax", Attributes.none().with("axes", new long[] {axis}), window);
            }
            result = graph.add("Concat", Attributes.none().with("axis", axis), parts);
        }
        return result;
    }

    private static int begin(int place, int side, int places) {
        return (int) ((long) place * side / places);
    }

    private static int end(int place, int side, int places) {
        return (int) (((place + 1L) * side + places - 1) / places);
    }

    private static boolean areWhole(long[] sides, long[] places) {
        for (int i = 0; i < sides.length; i++) {
            if (sides[i] % places[i] != 0) {
                return false;
            }
        }
        return true;
    }

    private static Windows touching(long[] sides, long[] places) {
        long[] kernel = new long[sides.length];
        for (int i = 0; i < sides.length; i++) {
            kernel[i] = sides[i] / places[i];
        }
        return new Windows(sides, places, kernel, kernel, new long[sides.length]);
    }
}
