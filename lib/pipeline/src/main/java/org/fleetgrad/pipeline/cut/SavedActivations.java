package org.fleetgrad.pipeline.cut;

import java.util.List;
import org.fleetgrad.networks.layer.BatchNorm1d;
import org.fleetgrad.networks.layer.BatchNorm2d;
import org.fleetgrad.networks.layer.CategoryEmbeddings;
import org.fleetgrad.networks.layer.ClassToken;
import org.fleetgrad.networks.layer.Conv1d;
import org.fleetgrad.networks.layer.Conv2d;
import org.fleetgrad.networks.layer.Embedding;
import org.fleetgrad.networks.layer.GraphLayer;
import org.fleetgrad.networks.layer.Layer;
import org.fleetgrad.networks.layer.Layer.AdaptiveAvgPool2d;
import org.fleetgrad.networks.layer.Layer.Dropout;
import org.fleetgrad.networks.layer.Layer.Dropout2d;
import org.fleetgrad.networks.layer.Layer.FirstToken;
import org.fleetgrad.networks.layer.Layer.Flatten;
import org.fleetgrad.networks.layer.Layer.Gelu;
import org.fleetgrad.networks.layer.Layer.GlobalAvgPool1d;
import org.fleetgrad.networks.layer.Layer.MaxPool1d;
import org.fleetgrad.networks.layer.Layer.MaxPool2d;
import org.fleetgrad.networks.layer.Layer.PatchTokens;
import org.fleetgrad.networks.layer.Layer.ReLU;
import org.fleetgrad.networks.layer.LayerNorm;
import org.fleetgrad.networks.layer.Linear;
import org.fleetgrad.networks.layer.Lstm;
import org.fleetgrad.networks.layer.PositionEmbedding;
import org.fleetgrad.networks.layer.Residual;
import org.fleetgrad.networks.layer.SelfAttention;
import org.fleetgrad.networks.layer.Sequential;
import org.fleetgrad.networks.layer.TiedLinear;
import org.fleetgrad.networks.layer.ZeroPaddedShortcut;

/**
 * Counts the arrays that libtorch saves for one sample from a forward pass to its backward pass. A convolution, a linear
 * layer, a normalization and a max-pooling save their input; a ReLU saves its output, a max-pooling 8 bytes for each element
 * of its output, a dropout its mask. An array that two layers share counts once.
 */
final class SavedActivations {

    /** For each value of a state, at each place: measured with oneDNN, whose workspace it saves; without, it is half of this. */
    private static final int SAVED_OF_A_STATE = 17;

    private long bytes;
    private boolean isSaved;

    private SavedActivations() {}

    /** Returns the bytes of one sample, the input included. */
    static long bytesOfSample(Sequential layers, List<Integer> input) {
        SavedActivations saved = new SavedActivations();
        // A stage holds its input, a copy of its neighbour's frame.
        saved.save(input);
        saved.visit(layers, input);
        return saved.bytes;
    }

    /** Returns the largest sum of a layer's input and output, in bytes of one sample. */
    static long workOfSample(Layer layer, List<Integer> input) {
        if (layer instanceof Sequential sequential) {
            long most = 0;
            List<Integer> shape = input;
            for (Sequential.Part part : sequential.parts()) {
                most = Math.max(most, workOfSample(part.layer(), shape));
                shape = part.layer().output(shape);
            }
            return most;
        }
        if (layer instanceof Residual residual) {
            return Float.BYTES * values(input)
                    + Math.max(
                            workOfSample(residual.body(), input),
                            workOfSample(residual.shortcut().layer(), input));
        }
        if (layer instanceof GraphLayer piece) {
            return Float.BYTES * piece.graph().largest();
        }
        long own = layer instanceof Lstm lstm ? lstm.work(input) : 0;
        return Float.BYTES * (values(input) + values(layer.output(input)) + own);
    }

    private void save(List<Integer> array) {
        if (!isSaved) {
            bytes += Float.BYTES * values(array);
            isSaved = true;
        }
    }

    private void visit(Layer layer, List<Integer> input) {
        List<Integer> output = layer.output(input);
        // Java 17 has no switch over types.
        if (layer instanceof Sequential sequential) {
            List<Integer> shape = input;
            for (Sequential.Part part : sequential.parts()) {
                visit(part.layer(), shape);
                shape = part.layer().output(shape);
            }
        } else if (layer instanceof Residual residual) {
            boolean isInputSaved = isSaved;
            visit(residual.body(), input);
            isSaved = isInputSaved || !residual.body().parts().isEmpty();
            visit(residual.shortcut().layer(), input);
            isSaved = false;
        } else if (layer instanceof ReLU) {
            isSaved = false;
            save(output);
        } else if (layer instanceof Conv1d
                || layer instanceof Conv2d
                || layer instanceof Linear
                || layer instanceof TiedLinear
                || layer instanceof BatchNorm1d
                || layer instanceof BatchNorm2d
                || layer instanceof LayerNorm
                || layer instanceof Gelu) {
            save(input);
            isSaved = false;
        } else if (layer instanceof GraphLayer piece) {
            // At most: an addition saves nothing, and two operators that read one value save it once.
            save(input);
            bytes += Float.BYTES * piece.graph().computed();
            isSaved = false;
        } else if (layer instanceof Embedding) {
            bytes += Long.BYTES * values(input);
            isSaved = false;
        } else if (layer instanceof CategoryEmbeddings categories) {
            // The index of each category.
            bytes += (long) Long.BYTES * categories.tables().size();
            isSaved = false;
        } else if (layer instanceof SelfAttention attention) {
            save(input);
            bytes += Float.BYTES * (values(output) + attentionWeights(attention, input.get(0)));
            isSaved = false;
        } else if (layer instanceof PositionEmbedding || layer instanceof ClassToken) {
            isSaved = false;
        } else if (layer instanceof Lstm lstm) {
            save(input);
            bytes += Float.BYTES * (long) input.get(1) * lstm.layers() * lstm.hidden() * SAVED_OF_A_STATE;
            isSaved = false;
        } else if (layer instanceof MaxPool1d || layer instanceof MaxPool2d) {
            save(input);
            bytes += Long.BYTES * values(output);
            isSaved = false;
        } else if (layer instanceof Dropout) {
            bytes += Float.BYTES * values(output);
            isSaved = false;
        } else if (layer instanceof Dropout2d) {
            bytes += (long) Float.BYTES * output.get(0);
            isSaved = false;
        } else if (layer instanceof AdaptiveAvgPool2d pool) {
            if (pool.side() > 1) {
                save(input);
            }
            isSaved = false;
        } else if (layer instanceof GlobalAvgPool1d) {
            isSaved = false;
        } else if (layer instanceof ZeroPaddedShortcut) {
            save(input);
            isSaved = false;
        } else if (!(layer instanceof Flatten || layer instanceof FirstToken || layer instanceof PatchTokens)) {
            throw new IllegalStateException("a layer of a kind that nobody counts: " + layer);
        }
    }

    /** Without dropout libtorch saves one number for each row of the softmax; with it, the weights, the mask and their product. */
    private static long attentionWeights(SelfAttention attention, long tokens) {
        long rows = attention.heads() * tokens;
        return attention.dropout() == 0 ? rows : 3 * rows * tokens;
    }

    private static long values(List<Integer> shape) {
        return shape.stream().mapToLong(Integer::longValue).reduce(1, Math::multiplyExact);
    }
}
