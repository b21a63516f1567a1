package org.fleetgrad.protocol.tensor;

import java.util.ArrayList;
import java.util.List;

/**
 * The positions of the trainable values among all values of a parameter set. The trainable values alone are one vector,
 * in the same order: what an optimizer steps and a gradient has. Immutable.
 */
public final class TrainableValues {

    private final TensorLayout whole;
    private final TensorLayout layout;
    private final List<Run> runs;

    /** Adjacent trainable values: their position among all values, and their number. */
    private record Run(int from, int count) {}

    private TrainableValues(TensorLayout whole, TensorLayout layout, List<Run> runs) {
        this.whole = whole;
        this.layout = layout;
        this.runs = runs;
    }

    /**
     * Finds the trainable values of a parameter set.
     *
     * @param whole its layout, of float32 tensors; may be that of a partition
     */
    public static TrainableValues of(TensorLayout whole, FrozenTensors frozen) {
        List<Run> runs = new ArrayList<>();
        int at = 0;
        int begin = 0;
        for (TensorSpec spec : whole.specs()) {
            int end = at + Math.toIntExact(spec.elementCount());
            if (frozen.has(spec.name())) {
                addRun(runs, begin, at);
                begin = end;
            }
            at = end;
        }
        addRun(runs, begin, at);
        return new TrainableValues(whole, frozen.trainable(whole), List.copyOf(runs));
    }

    private static void addRun(List<Run> runs, int from, int to) {
        if (from < to) {
            runs.add(new Run(from, to - from));
        }
    }

    /** Returns the layout of all values. */
    public TensorLayout whole() {
        return whole;
    }

    /** Returns the layout of the trainable values. */
    public TensorLayout layout() {
        return layout;
    }

    /** Returns whether every tensor is trainable. */
    public boolean isWhole() {
        return layout.size() == whole.size();
    }

    /** Returns the trainable ones of all values; the array itself if all are. */
    public float[] of(float[] all) {
        if (isWhole()) {
            return all;
        }
        float[] trainable = new float[(int) layout.elementCount()];
        int at = 0;
        for (Run run : runs) {
            System.arraycopy(all, run.from(), trainable, at, run.count());
            at += run.count();
        }
        return trainable;
    }

    /** Writes trainable values to their positions among all values. */
    public void putInto(float[] trainable, float[] all) {
        int at = 0;
        for (Run run : runs) {
            System.arraycopy(trainable, at, all, run.from(), run.count());
            at += run.count();
        }
    }

    /** Returns whether two sets of all values have the same bits in the frozen tensors. */
    public boolean isFrozenAlike(float[] one, float[] other) {
        int at = 0;
        for (Run run : runs) {
            if (!isAlike(one, other, at, run.from())) {
                return false;
            }
            at = run.from() + run.count();
        }
        return isAlike(one, other, at, one.length);
    }

    private static boolean isAlike(float[] one, float[] other, int from, int to) {
        for (int i = from; i < to; i++) {
            if (Float.floatToRawIntBits(one[i]) != Float.floatToRawIntBits(other[i])) {
                return false;
            }
        }
        return true;
    }
}
