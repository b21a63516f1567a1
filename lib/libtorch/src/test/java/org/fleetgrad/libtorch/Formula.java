package org.fleetgrad.libtorch;

import java.util.Arrays;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.TableTask;
import org.fleetgrad.networks.Task;
import org.fleetgrad.networks.layer.LayerTensor;
import org.fleetgrad.protocol.tensor.TensorLayout;

/** The values that make_network_goldens.py also computes, so that no file has to store them. */
final class Formula {

    private static final float APART = 2.5f;

    private Formula() {}

    /** Element i of the k-th trainable tensor in PyTorch's order; the state is initialized to 0 and 1. */
    static float[] parameters(NetworkDefinition definition) {
        TensorLayout layout = definition.spec().layout();
        float[] values = new float[Math.toIntExact(layout.elementCount())];
        int k = 0;
        for (LayerTensor tensor : definition.layers().tensors()) {
            int index = layout.indexOf(tensor.name()).orElseThrow();
            int from = (int) (layout.byteOffset(index) / Float.BYTES);
            int count = (int) layout.specs().get(index).elementCount();
            if (tensor.momentum().isPresent()) {
                Arrays.fill(values, from, from + count, tensor.name().endsWith("var") ? 1 : 0);
                continue;
            }
            k++;
            boolean isMatrix = tensor.shape().size() > 1;
            double mean = !isMatrix && tensor.name().endsWith("weight") ? 0.25 : 0;
            double scale = isMatrix ? Math.sqrt(2.0 * tensor.shape().get(0) / count) : mean > 0 ? 0.05 : 0.1;
            for (int i = 0; i < count; i++) {
                values[from + i] = (float) (mean + scale * noise(i, k));
            }
        }
        return values;
    }

    /** The same with no value near the kink of a ReLU: there float32 gradients jump, at different values for each kernel. */
    static float[] setApart(NetworkDefinition definition, float[] parameters) {
        TensorLayout layout = definition.spec().layout();
        float[] apart = parameters.clone();
        for (LayerTensor tensor : definition.layers().tensors()) {
            String norm = tensor.name().replaceFirst("\\.[^.]*$", "");
            if (tensor.name().endsWith(".bias")
                    && layout.indexOf(norm + ".running_mean").isPresent()) {
                int index = layout.indexOf(tensor.name()).orElseThrow();
                int from = (int) (layout.byteOffset(index) / Float.BYTES);
                long count = layout.specs().get(index).elementCount();
                for (int i = 0; i < count; i++) {
                    float size = APART + Math.abs(apart[from + i]);
                    apart[from + i] = i % 2 == 0 ? size : -size;
                }
            }
        }
        return apart;
    }

    /** Noise of mean 0.5 and variance 1. */
    static float[] images(int size) {
        return images(size, 0);
    }

    /** Other noise for each k, where those above 0 are the parameters'. */
    static float[] images(int size, int k) {
        float[] images = new float[size];
        for (int i = 0; i < size; i++) {
            images[i] = (float) (0.5 + noise(i, k));
        }
        return images;
    }

    /** Rows of tables: numbers as images have, then the values of categories. */
    static float[] rows(int count, TableTask table, int k) {
        float[] numbers = images(count * table.numbers(), k);
        int width = table.inputSize();
        float[] rows = new float[count * width];
        for (int row = 0; row < count; row++) {
            System.arraycopy(numbers, row * table.numbers(), rows, row * width, table.numbers());
            for (int i = 0; i < table.categories().size(); i++) {
                rows[row * width + table.numbers() + i] =
                        (row * row + 3 * row + i) % table.categories().get(i);
            }
        }
        return rows;
    }

    /** The texts: numbers of tokens. */
    static float[] tokens(int size, int vocabulary) {
        float[] tokens = new float[size];
        for (int i = 0; i < size; i++) {
            tokens[i] = (i * i + 3 * i) % vocabulary;
        }
        return tokens;
    }

    /** Texts of BERT's, each two tokens shorter than the one before, and filled up with 0. */
    static float[] padded(int count, int context, int vocabulary) {
        float[] tokens = tokens(count * context, vocabulary - 1);
        for (int i = 0; i < tokens.length; i++) {
            boolean isPadding = i % context >= context - 2 * (i / context);
            tokens[i] = isPadding ? 0 : tokens[i] + 1;
        }
        return tokens;
    }

    /** The labels of the texts, some of which do not count. */
    static float[] nextTokens(int size, int vocabulary) {
        float[] labels = new float[size];
        for (int i = 0; i < size; i++) {
            labels[i] = i % 5 == 4 ? Task.IGNORED_LABEL : (7 * i + 3) % vocabulary;
        }
        return labels;
    }

    private static double noise(int i, int k) {
        double s = Math.sin(12.9898 * i + 78.233 * k) * 43758.5453;
        return Math.sqrt(3) * (2 * (s - Math.floor(s)) - 1);
    }
}
