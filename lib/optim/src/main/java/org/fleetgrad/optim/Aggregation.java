package org.fleetgrad.optim;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * How the gradients of a step become one.
 *
 * <p>A single worker can move the mean anywhere. The other rules follow the majority. They count each gradient once, however
 * many samples it states, since a Byzantine worker could state any number.
 */
public sealed interface Aggregation {

    /** The mean, weighted by samples: N workers make the same step as one whose batch is the N batches together. */
    record Mean() implements Aggregation {

        @Override
        public boolean needsEach() {
            return false;
        }

        @Override
        public float[] combine(List<float[]> gradients) {
            return trimmedMean(gradients, 0);
        }

        @Override
        public String toString() {
            return "mean";
        }
    }

    /**
     * The coordinate-wise median, which tolerates a minority of Byzantine workers (Yin et al., "Byzantine-robust distributed
     * learning: towards optimal statistical rates", ICML 2018). With an even number of gradients, the mean of the two in the
     * middle.
     */
    record Median() implements Aggregation {

        @Override
        public float[] combine(List<float[]> gradients) {
            return trimmedMean(gradients, (gradients.size() - 1) / 2);
        }

        @Override
        public String toString() {
            return "median";
        }
    }

    /**
     * The coordinate-wise mean without the {@code outliers} smallest and largest values (Yin et al., 2018). Of n gradients it
     * drops at most (n - 1) / 2 on each side.
     *
     * @param outliers number of Byzantine workers that it tolerates
     */
    record TrimmedMean(int outliers) implements Aggregation {

        public TrimmedMean {
            requirePositive(outliers);
        }

        @Override
        public float[] combine(List<float[]> gradients) {
            return trimmedMean(gradients, Math.min(outliers, (gradients.size() - 1) / 2));
        }

        @Override
        public String toString() {
            return new SpecWriter("trimmed-mean")
                    .unless(1.0, "outliers", outliers)
                    .toString();
        }
    }

    /**
     * The single gradient that is nearest to the others (Blanchard et al., "Machine learning with adversaries: Byzantine
     * tolerant gradient descent", NIPS 2017): of n gradients, f of which may be Byzantine, the first with the smallest score.
     *
     * <pre>s(i) = sum of |g_i - g_j|^2 over the n - f - 2 gradients j that are nearest to g_i</pre>
     *
     * <p>A step of fewer than 2 f + 3 gradients tolerates fewer Byzantine ones: f becomes (n - 3) / 2. One or two gradients have
     * no majority, and their mean is taken.
     *
     * @param outliers number of Byzantine workers that it tolerates: f
     */
    record Krum(int outliers) implements Aggregation {

        public Krum {
            requirePositive(outliers);
        }

        @Override
        public float[] combine(List<float[]> gradients) {
            int count = gradients.size();
            if (count < 3) {
                return trimmedMean(gradients, 0);
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

        @Override
        public String toString() {
            return new SpecWriter("krum").unless(1.0, "outliers", outliers).toString();
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

    /** Tells whether the rule must see each gradient, and not only their sum. */
    default boolean needsEach() {
        return true;
    }

    /**
     * Combines gradients of the same length, whose values are finite, into one. A single gradient stays bit-identical. The
     * order of the gradients decides only between gradients that are equally near to the others.
     *
     * @param gradients one or more; their values may be overwritten
     * @return one of these arrays, with the result
     */
    float[] combine(List<float[]> gradients);

    /** Prints the aggregation as {@link #parse} reads it; two that compute the same are printed alike. */
    @Override
    String toString();

    /**
     * Reads an aggregation.
     *
     * @throws IllegalArgumentException if the text is not one; the message says what to write
     */
    static Aggregation parse(String text) {
        return parse(text, Map.of());
    }

    /**
     * Reads an aggregation whose arguments are not all in the text.
     *
     * @param further the others, by their names
     * @throws IllegalArgumentException as {@link #parse(String)}, and if an argument is given twice
     */
    static Aggregation parse(String text, Map<String, String> further) {
        SpecText given = SpecText.parse(forms(), text);
        given.add(further);
        Aggregation aggregation = switch (given.name()) {
            case "mean" -> new Mean();
            case "median" -> new Median();
            case "trimmed-mean" -> new TrimmedMean((int) given.whole("outliers", 1, Integer.MAX_VALUE));
            case "krum" -> new Krum((int) given.whole("outliers", 1, Integer.MAX_VALUE));
            default -> throw given.unknown();
        };
        given.requireNoMore();
        return aggregation;
    }

    /** Returns the table of the aggregations that {@link #parse} reads, as docs/configuration.md shows it. */
    static String documentation() {
        return forms().table();
    }

    private static SpecForms forms() {
        return SpecForms.of(
                "aggregation",
                "what a synchronous step takes",
                4,
                "mean",
                "the mean of the gradients, weighted by samples",
                "median",
                "the median of each value",
                "trimmed-mean:outliers=1",
                "the mean of each value without the smallest and the largest one",
                "krum:outliers=1",
                "the gradient that is nearest to the others; it needs at least 2 `outliers` + 3 gradients. `outliers` is the"
                        + " number of bad workers to tolerate: 1");
    }

    private static void requirePositive(int outliers) {
        if (outliers < 1) {
            throw new IllegalArgumentException("outliers must be 1 or more; it is " + outliers);
        }
    }

    /**
     * Overwrites the first gradient with the mean of each coordinate without the {@code trimmed} smallest and the {@code
     * trimmed} largest values. The values of a coordinate are sorted, so the order of the gradients does not matter.
     */
    private static float[] trimmedMean(List<float[]> gradients, int trimmed) {
        int count = gradients.size();
        int kept = count - 2 * trimmed;
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
