package org.fleetgrad.protocol.tensor;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The positions of a network's state in its parameter set. In a gradient they carry observed statistics. They are taken
 * out before an optimizer, a staleness rule, a momentum or a norm sees the gradient: these see zeros there, and leave
 * the state as it is.
 *
 * <p>{@link ParameterState} has the formula of a step. Immutable.
 */
public final class ObservedState {

    private final List<Place> places;
    private final int count;

    /** A tensor of state: its values among all values. */
    private record Place(int from, int count, double momentum) {}

    private ObservedState(List<Place> places) {
        this.places = places;
        this.count = places.stream().mapToInt(Place::count).sum();
    }

    /** Finds the state in a layout. */
    public static ObservedState of(TensorLayout layout, ParameterState state) {
        List<Place> places = new ArrayList<>();
        int at = 0;
        for (TensorSpec spec : layout.specs()) {
            int count = Math.toIntExact(spec.elementCount());
            Optional<Float> momentum = state.momentum(spec.name());
            if (momentum.isPresent()) {
                // The decimal as written, which PyTorch computes with, not the widened float.
                places.add(
                        new Place(at, count, Double.parseDouble(momentum.get().toString())));
            }
            at += count;
        }
        return new ObservedState(List.copyOf(places));
    }

    /** Takes the statistics out of a gradient, and leaves zeros at their positions. */
    public float[] take(float[] gradient) {
        float[] observed = new float[count];
        int at = 0;
        for (Place place : places) {
            System.arraycopy(gradient, place.from(), observed, at, place.count());
            Arrays.fill(gradient, place.from(), place.from() + place.count(), 0f);
            at += place.count();
        }
        return observed;
    }

    /** Puts statistics back into the gradient that they were taken out of. */
    public void putBack(float[] observed, float[] gradient) {
        int at = 0;
        for (Place place : places) {
            System.arraycopy(observed, at, gradient, place.from(), place.count());
            at += place.count();
        }
    }

    /**
     * Moves the state in the parameters towards the observed statistics, by the formula of {@link ParameterState}.
     *
     * @param batches that they were observed over, 1 or more
     */
    public void mergeInto(float[] parameters, float[] observed, double batches) {
        int at = 0;
        for (Place place : places) {
            // Exact for one batch, where 1 - (1 - m) would not be m.
            double share = batches == 1 ? place.momentum() : 1 - StrictMath.pow(1 - place.momentum(), batches);
            float fresh = (float) share;
            float kept = (float) (1 - share);
            for (int i = place.from(); i < place.from() + place.count(); i++, at++) {
                parameters[i] = kept * parameters[i] + fresh * observed[at];
            }
        }
    }

    /**
     * Returns the mean of statistics that {@link #mergeInto} merged into zeros: what a gradient over all of their batches carries.
     *
     * @param merged  not changed
     * @param batches all that were merged, 1 or more
     */
    public float[] meanOf(float[] merged, double batches) {
        float[] mean = new float[count];
        int at = 0;
        for (Place place : places) {
            double share = batches == 1 ? place.momentum() : 1 - StrictMath.pow(1 - place.momentum(), batches);
            for (int i = place.from(); i < place.from() + place.count(); i++, at++) {
                mean[at] = (float) (merged[i] / share);
            }
        }
        return mean;
    }
}
