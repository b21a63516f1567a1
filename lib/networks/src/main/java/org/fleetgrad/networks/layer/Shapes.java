package org.fleetgrad.networks.layer;

import java.util.List;

/** Checks that several layers share, most of the shape of a sample. */
final class Shapes {

    private Shapes() {}

    /** Checks that a sample is [channels, height, width]. */
    static void requireImage(String layer, List<Integer> input) {
        if (input.size() != 3) {
            throw new IllegalArgumentException(
                    "%s takes [channels, height, width]; it gets %s".formatted(layer, input));
        }
    }

    /** Checks that a sample is [channels, height, width] with that many channels. */
    static void requireChannels(String layer, int channels, List<Integer> input) {
        requireImage(layer, input);
        if (input.get(0) != channels) {
            throw new IllegalArgumentException("%s takes %d channels; it gets %s".formatted(layer, channels, input));
        }
    }

    /** Checks that a sample is [channels, length] with that many channels. */
    static void requireSeries(String layer, int channels, List<Integer> input) {
        if (input.size() != 2 || input.get(0) != channels) {
            throw new IllegalArgumentException("%s takes [%d, length]; it gets %s".formatted(layer, channels, input));
        }
    }

    /** Checks that a sample is [tokens, width]. */
    static void requireTokens(String layer, int width, List<Integer> input) {
        if (input.size() != 2 || input.get(1) != width) {
            throw new IllegalArgumentException("%s takes [tokens, %d]; it gets %s".formatted(layer, width, input));
        }
    }

    /** Returns a shape with another last dimension, after a check of the present one. */
    static List<Integer> features(String layer, int in, int out, List<Integer> input) {
        int last = input.size() - 1;
        if (last < 0 || last > 1 || input.get(last) != in) {
            throw new IllegalArgumentException(
                    "%s takes [%d], or tokens of them; it gets %s".formatted(layer, in, input));
        }
        return last == 0 ? List.of(out) : List.of(input.get(0), out);
    }

    /** Returns the number of positions of a window along a side: floor((side + 2 padding - kernel) / stride) + 1. */
    static int places(String layer, int side, int kernel, int stride, int padding, List<Integer> input) {
        int room = side + 2 * padding - kernel;
        if (room < 0) {
            throw new IllegalArgumentException("%s has windows of %d by %d, padding %d; it gets %s, which is too small"
                    .formatted(layer, kernel, kernel, padding, input));
        }
        return room / stride + 1;
    }

    /** Checks settings of a layer, such as its channels. */
    static void requirePositive(String layer, int... settings) {
        for (int setting : settings) {
            if (setting < 1) {
                throw new IllegalArgumentException("the settings of %s are 1 or more; they are %s"
                        .formatted(layer, java.util.Arrays.toString(settings)));
            }
        }
    }

    static void requireProbability(float probability) {
        if (!(probability >= 0 && probability < 1)) {
            throw new IllegalArgumentException("a dropout's probability is from 0 to below 1; it is " + probability);
        }
    }
}
