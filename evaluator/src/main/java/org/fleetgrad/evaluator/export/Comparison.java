package org.fleetgrad.evaluator.export;

import java.util.Locale;

/**
 * How much two runtimes differ in the outputs of one network.
 *
 * @param samples    that both answered
 * @param difference the largest one of two outputs
 * @param size       of the largest output
 */
public record Comparison(int samples, double difference, double size) {

    /** The largest difference that rounding explains, as a share of the largest output. */
    public static final double MOST = 1e-4;

    /** Returns the difference as a share of the largest output. */
    public double relative() {
        // Outputs of a network of zeros are all 0.
        return difference == 0 ? 0 : difference / size;
    }

    /** Adds what was found of further samples. */
    Comparison and(Comparison other) {
        return new Comparison(
                samples + other.samples, Math.max(difference, other.difference), Math.max(size, other.size));
    }

    /**
     * Compares outputs.
     *
     * @throws IllegalArgumentException if one of the network's is not finite
     * @throws DifferentAnswersException if there are not as many of both, or one of the model's is not finite
     */
    static Comparison of(int samples, float[] network, double[] model) {
        if (network.length != model.length) {
            throw new DifferentAnswersException(
                    "onnxruntime answers with %d values, libtorch with %d".formatted(model.length, network.length));
        }
        double difference = 0;
        double size = 0;
        for (int i = 0; i < model.length; i++) {
            if (!Float.isFinite(network[i])) {
                throw new IllegalArgumentException(
                        "output %d of the network is %s: it has diverged, and nothing can be compared"
                                .formatted(i, network[i]));
            }
            if (!Double.isFinite(model[i])) {
                throw new DifferentAnswersException(
                        "output %d is %s with libtorch and %s with onnxruntime".formatted(i, network[i], model[i]));
            }
            difference = Math.max(difference, Math.abs(network[i] - model[i]));
            size = Math.max(size, Math.abs(network[i]));
        }
        return new Comparison(samples, difference, size);
    }

    /**
     * Checks the difference.
     *
     * @throws DifferentAnswersException if it is too large; the message has the numbers
     */
    void require() {
        if (relative() > MOST) {
            throw new DifferentAnswersException(
                    "onnxruntime and libtorch differ by %s on %d samples, the largest output being %s: that is %s of it, and %s is the most; no file was written"
                            .formatted(difference, samples, size, relative(), MOST));
        }
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT, "the largest difference is %.1e, %.1e of the largest output", difference, relative());
    }
}
