package org.fleetgrad.networks.layer;

import java.util.List;

/**
 * A layer of a network, or several together: its tensors and its output shape. The code that computes it is elsewhere.
 *
 * <p>Layers are immutable. The names of their tensors are PyTorch's, relative to the layer.
 */
public sealed interface Layer
        permits Layer.AdaptiveAvgPool2d,
                BatchNorm1d,
                BatchNorm2d,
                CategoryEmbeddings,
                ClassToken,
                Conv1d,
                Conv2d,
                Layer.Dropout,
                Layer.Dropout2d,
                Embedding,
                Layer.FirstToken,
                Layer.Flatten,
                Layer.Gelu,
                Layer.GlobalAvgPool1d,
                GraphLayer,
                LayerNorm,
                Linear,
                Lstm,
                Layer.MaxPool1d,
                Layer.MaxPool2d,
                Layer.PatchTokens,
                PaddedAttention,
                PositionEmbedding,
                QueryKeyValue,
                Layer.ReLU,
                Residual,
                SelfAttention,
                Sequential,
                Layer.Tanh,
                TiedLinear,
                TokenTypeEmbedding,
                ZeroPaddedShortcut {

    /** Returns the layer's tensors, in PyTorch's order; none by default. */
    default List<LayerTensor> tensors() {
        return List.of();
    }

    /**
     * Returns the shape of a sample after the layer; the input's by default.
     *
     * @param input such as [channels, height, width], [channels, length], [tokens, features], or [features]
     * @throws IllegalArgumentException if the layer cannot take it; the message has the numbers
     */
    default List<Integer> output(List<Integer> input) {
        return input;
    }

    /**
     * Means over as many windows as the output has positions, whatever the size of the input.
     *
     * @param side height and width of the output
     */
    record AdaptiveAvgPool2d(int side) implements Layer {

        public AdaptiveAvgPool2d {
            Shapes.requirePositive("an average-pooling", side);
        }

        @Override
        public List<Integer> output(List<Integer> input) {
            Shapes.requireImage("an average-pooling", input);
            return List.of(input.get(0), side, side);
        }
    }

    /**
     * In training, sets each value to 0 with a probability p and divides the others by 1 - p (N. Srivastava et al. 2014).
     *
     * @param probability from 0 to below 1
     */
    record Dropout(float probability) implements Layer {

        public Dropout {
            Shapes.requireProbability(probability);
        }
    }

    /**
     * In training, sets whole channels to 0 with a probability p and divides the others by 1 - p (J. Tompson et al. 2015).
     *
     * @param probability from 0 to below 1
     */
    record Dropout2d(float probability) implements Layer {

        public Dropout2d {
            Shapes.requireProbability(probability);
        }

        @Override
        public List<Integer> output(List<Integer> input) {
            Shapes.requireImage("a dropout of channels", input);
            return input;
        }
    }

    /** Flattens a sample to one row of features. */
    record Flatten() implements Layer {

        @Override
        public List<Integer> output(List<Integer> input) {
            return List.of(input.stream().reduce(1, Math::multiplyExact));
        }
    }

    /** Takes the first token alone: from [tokens, width] to [width]. */
    record FirstToken() implements Layer {

        @Override
        public List<Integer> output(List<Integer> input) {
            if (input.size() != 2) {
                throw new IllegalArgumentException("a first token is taken of [tokens, width]; it gets " + input);
            }
            return List.of(input.get(1));
        }
    }

    /**
     * The Gaussian error linear unit (D. Hendrycks, K. Gimpel 2016).
     *
     * @param isTanh whether by {@code x / 2 (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3)))}, as in GPT-2; else exact, by erf
     */
    record Gelu(boolean isTanh) implements Layer {}

    /** The mean of each channel of a series: from [channels, length] to [channels]. */
    record GlobalAvgPool1d() implements Layer {

        @Override
        public List<Integer> output(List<Integer> input) {
            if (input.size() != 2) {
                throw new IllegalArgumentException("a mean of series takes [channels, length]; it gets " + input);
            }
            return List.of(input.get(0));
        }
    }

    /**
     * The maximum of windows of a series that touch each other; places behind the last whole window are left out.
     *
     * @param kernel places of a window
     */
    record MaxPool1d(int kernel) implements Layer {

        /** Halves the length. */
        public static final MaxPool1d HALVES = new MaxPool1d(2);

        public MaxPool1d {
            Shapes.requirePositive("a max-pooling of series", kernel);
        }

        @Override
        public List<Integer> output(List<Integer> input) {
            if (input.size() != 2 || input.get(1) < kernel) {
                throw new IllegalArgumentException(
                        "a max-pooling of series takes [channels, length] with a length of %d or more; it gets %s"
                                .formatted(kernel, input));
            }
            return List.of(input.get(0), input.get(1) / kernel);
        }
    }

    /** Makes a token of each position of an image: from [channels, height, width] to [height width, channels]. */
    record PatchTokens() implements Layer {

        @Override
        public List<Integer> output(List<Integer> input) {
            Shapes.requireImage("a cut into patches", input);
            return List.of(Math.multiplyExact(input.get(1), input.get(2)), input.get(0));
        }
    }

    /**
     * The maximum of square windows.
     *
     * @param kernel  side of the window
     * @param stride  step between windows
     * @param padding positions on each side that are never the maximum
     */
    record MaxPool2d(int kernel, int stride, int padding) implements Layer {

        /** Halves the sides: windows of 2 by 2. */
        public static final MaxPool2d HALVES = new MaxPool2d(2, 2, 0);

        public MaxPool2d {
            Shapes.requirePositive("a max-pooling", kernel, stride);
            if (padding < 0 || 2 * padding > kernel) {
                throw new IllegalArgumentException(
                        "the padding of a max-pooling is at most half of its window of %d; it is %d"
                                .formatted(kernel, padding));
            }
        }

        @Override
        public List<Integer> output(List<Integer> input) {
            Shapes.requireImage("a max-pooling", input);
            return List.of(
                    input.get(0),
                    Shapes.places("a max-pooling", input.get(1), kernel, stride, padding, input),
                    Shapes.places("a max-pooling", input.get(2), kernel, stride, padding, input));
        }
    }

    /** The greater of a value and 0. */
    record ReLU() implements Layer {}

    /** The hyperbolic tangent. */
    record Tanh() implements Layer {}
}
