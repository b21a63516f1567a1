package org.fleetgrad.libtorch;

import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.layer.LayerTensor;
import org.fleetgrad.protocol.tensor.TensorLayout;

/** The values that make_network_goldens.py computes too, so that no file has to carry them. */
final class Formula {

    private static final float APART = 2.5f;

    private Formula() {}

    /** Element i of the k-th trainable tensor in PyTorch's order; the state begins as 0 and 1. */
    static float[] parameters(NetworkDefinition definition) {
        TensorLayout layout = definition.spec().layout();
        float[] values = new float[Math.toIntExact(layout.elementCount())];
        int k = 0;
        for (LayerTensor tensor : definition.layers().tensors()) {
            int index = layout.indexOf(tensor.name()).orElseThrow();
            int from = (int) (layout.byteOffset(index) / Float.BYTES);
            int count = (int) layout.specs().get(index).elementCount();
            if (tensor.momentum().isEmpty()) {
                k++;
            }
            for (int i = 0; i < count; i++) {
                double s = noise(i, k);
                if (tensor.momentum().isPresent()) {
                    s = tensor.name().endsWith("var") ? 1 : 0;
                } else if (tensor.shape().size() > 1) {
                    s *= Math.sqrt(2.0 * tensor.shape().get(0) / count);
                } else {
                    s = tensor.name().endsWith("weight") ? 0.25 + 0.05 * s : 0.1 * s;
                }
                values[from + i] = (float) s;
            }
        }
        return values;
    }

    /** The same with no value near the kink of a ReLU: there float32 gradients jump, each kernel's at others. */
    static float[] setApart(NetworkDefinition definition, float[] parameters) {
        TensorLayout layout = definition.spec().layout();
        float[] apart = parameters.clone();
        for (LayerTensor tensor : definition.layers().tensors()) {
            String norm = tensor.name().substring(0, tensor.name().lastIndexOf('.'));
            if (tensor.name().endsWith(".bias")
                    && layout.indexOf(norm + ".running_mean").isPresent()) {
                int index = layout.indexOf(tensor.name()).orElseThrow();
                int from = (int) (layout.byteOffset(index) / Float.BYTES);
                for (int i = 0; i < layout.specs().get(index).elementCount(); i++) {
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

    private static double noise(int i, int k) {
        double s = Math.sin(12.9898 * i + 78.233 * k) * 43758.5453;
        return Math.sqrt(3) * (2 * (s - Math.floor(s)) - 1);
    }
}
