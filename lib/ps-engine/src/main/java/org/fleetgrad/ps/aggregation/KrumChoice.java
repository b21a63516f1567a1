package org.fleetgrad.ps.aggregation;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Krum (Blanchard et al., 2017): of n gradients, f of which may be Byzantine, the one with the smallest score.
 *
 * <pre>s(i) = sum of |g_i - g_j|^2 over the n - f - 2 gradients j that are nearest to g_i</pre>
 *
 * <p>A step of fewer than 2 f + 3 gradients tolerates fewer Byzantine ones: f becomes (n - 3) / 2. One or two gradients have
 * no majority, and their mean is taken.
 */
final class KrumChoice {

    private KrumChoice() {}

    /** Returns the chosen gradient, unchanged; of gradients with the same score the first. */
    static float[] of(List<float[]> gradients, int outliers) {
        int count = gradients.size();
        if (count < 3) {
            return CoordinateWise.trimmedMean(gradients, 0);
        }
        int neighbours = count - Math.min(outliers, (count - 3) / 2) - 2;
        double[][] squares = squares(gradients);
        int chosen = 0;
        double smallest = Double.POSITIVE_INFINITY;
        for (int i = 0; i < count; i++) {
            double[] sorted = squares[i].clone();
            Arrays.sort(sorted);
            // The first is the distance to itself, 0.
            double score = Arrays.stream(sorted, 1, 1 + neighbours).sum();
            if (score < smallest) {
                smallest = score;
                chosen = i;
            }
        }
        return gradients.get(chosen);
    }

    private static double[][] squares(List<float[]> gradients) {
        int count = gradients.size();
        double[][] squares = new double[count][count];
        // Each row is written by one thread, and each pair is computed once.
        IntStream.range(0, count).parallel().forEach(i -> {
            for (int j = 0; j < i; j++) {
                squares[i][j] = square(gradients.get(i), gradients.get(j));
            }
        });
        for (int i = 0; i < count; i++) {
            for (int j = 0; j < i; j++) {
                squares[j][i] = squares[i][j];
            }
        }
        return squares;
    }

    /** In double, where the square of the largest difference of two floats, 5e77, is far from overflow. */
    private static double square(float[] one, float[] other) {
        double sum = 0;
        for (int i = 0; i < one.length; i++) {
            double difference = (double) one[i] - other[i];
            sum += difference * difference;
        }
        return sum;
    }
}
