package org.fleetgrad.networks.layer;

import java.util.SplittableRandom;

/** The distribution from which a tensor's initial values are drawn. */
public sealed interface InitialValues {

    /** All zeros. */
    InitialValues ZEROS = new Constant(0);

    /** All ones. */
    InitialValues ONES = new Constant(1);

    /** Normal with a standard deviation of 0.02, as most tensors of GPT-2 and BERT. */
    InitialValues TRANSFORMER = new Normal(0.02);

    /** Draws the values of a tensor into a part of an array. The same generator gives the same bits on every machine. */
    void draw(float[] values, int from, int to, SplittableRandom random);

    /**
     * PyTorch's default for convolutions and linear layers, weight and bias: uniform in ±1/sqrt(fan_in), where fan_in is
     * the number of inputs that one output reads (kaiming_uniform with a = sqrt(5), K. He et al. 2015).
     */
    static InitialValues fanInUniform(long fanIn) {
        return new Uniform(1 / Math.sqrt((double) fanIn));
    }

    /**
     * {@code kaiming_normal_(mode="fan_out", nonlinearity="relu")}: normal with standard deviation sqrt(2/fan_out), where
     * fan_out is the number of outputs that read one input (K. He et al. 2015).
     */
    static InitialValues fanOutNormal(long fanOut) {
        return new Normal(Math.sqrt(2.0 / fanOut));
    }

    /** {@code xavier_uniform_}: uniform in ±sqrt(6 / (fan_in + fan_out)) (X. Glorot, Y. Bengio 2010). */
    static InitialValues xavierUniform(long fanIn, long fanOut) {
        return new Uniform(Math.sqrt(6.0 / (fanIn + fanOut)));
    }

    private static void requireFinite(double value) {
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException("initial values are finite; they would be of " + value);
        }
    }

    /** One value everywhere. */
    record Constant(float value) implements InitialValues {

        public Constant {
            requireFinite(value);
        }

        @Override
        public void draw(float[] values, int from, int to, SplittableRandom random) {
            java.util.Arrays.fill(values, from, to, value);
        }
    }

    /**
     * Another distribution, but for one row of a matrix, which is 0.
     *
     * @param others distribution of the other rows
     * @param row    index of the row
     * @param width  values of a row
     */
    record ZeroRow(InitialValues others, int row, int width) implements InitialValues {

        public ZeroRow {
            if (others instanceof ZeroRow || row < 0 || width < 1) {
                throw new IllegalArgumentException(
                        "a row of zeros is one of 0 and above, of 1 value or more; it is row %d of %d among %s"
                                .formatted(row, width, others));
            }
        }

        @Override
        public void draw(float[] values, int from, int to, SplittableRandom random) {
            others.draw(values, from, to, random);
            java.util.Arrays.fill(values, from + row * width, from + (row + 1) * width, 0);
        }
    }

    /** Uniform between -bound and bound. */
    record Uniform(double bound) implements InitialValues {

        public Uniform {
            requireFinite(bound);
        }

        @Override
        public void draw(float[] values, int from, int to, SplittableRandom random) {
            for (int i = from; i < to; i++) {
                values[i] = (float) ((2 * random.nextDouble() - 1) * bound);
            }
        }
    }

    /**
     * Normal with mean 0, by the polar method (G. Marsaglia, T. A. Bray 1964). The JDK's normal numbers differ between its
     * releases; these do not.
     */
    record Normal(double deviation) implements InitialValues {

        public Normal {
            requireFinite(deviation);
        }

        @Override
        public void draw(float[] values, int from, int to, SplittableRandom random) {
            for (int i = from; i < to; i += 2) {
                double x;
                double y;
                double square;
                do {
                    x = 2 * random.nextDouble() - 1;
                    y = 2 * random.nextDouble() - 1;
                    square = x * x + y * y;
                } while (square >= 1 || square == 0);
                // The square root is exact everywhere; StrictMath's logarithm is the same bits everywhere.
                double scale = deviation * Math.sqrt(-2 * StrictMath.log(square) / square);
                values[i] = (float) (x * scale);
                if (i + 1 < to) {
                    values[i + 1] = (float) (y * scale);
                }
            }
        }
    }
}
