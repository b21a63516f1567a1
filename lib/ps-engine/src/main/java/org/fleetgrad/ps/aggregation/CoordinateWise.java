package org.fleetgrad.ps.aggregation;

import java.util.Arrays;
import java.util.List;
import org.fleetgrad.optim.Cores;

/**
 * Rules that treat each coordinate of the gradients by itself. They sort the values of all gradients at a coordinate, so the
 * order of the gradients does not matter. The result overwrites the first gradient.
 */
final class CoordinateWise {

    private CoordinateWise() {}

    /** Returns the median of each value; of an even number, the mean of the two in the middle. */
    static float[] median(List<float[]> gradients) {
        return trimmedMean(gradients, (gradients.size() - 1) / 2);
    }

    /** Returns the mean of each value without the {@code trimmed} smallest and the {@code trimmed} largest ones. */
    static float[] trimmedMean(List<float[]> gradients, int trimmed) {
        int count = gradients.size();
        int kept = count - 2 * trimmed;
        if (kept < 1) {
            throw new IllegalArgumentException(
                    "of %d gradients %d cannot be left out on each side".formatted(count, trimmed));
        }
        float[][] each = gradients.toArray(float[][]::new);
        float[] result = each[0];
        if (count > 1) {
            Cores.each(result.length, (from, to) -> {
                float[] column = new float[count];
                for (int i = from; i < to; i++) {
                    for (int j = 0; j < count; j++) {
                        column[j] = each[j][i];
                    }
                    Arrays.sort(column);
                    // Summed in double: floats near the maximum would overflow to infinity.
                    double sum = 0;
                    for (int j = trimmed; j < count - trimmed; j++) {
                        sum += column[j];
                    }
                    result[i] = (float) (sum / kept);
                }
            });
        }
        return result;
    }
}
