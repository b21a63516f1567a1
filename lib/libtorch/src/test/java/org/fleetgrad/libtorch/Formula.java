package org.fleetgrad.libtorch;

import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.layer.LayerTensor;
import org.fleetgrad.protocol.tensor.TensorLayout;

/** The values that make_network_goldens.py computes too, so that no file has to carry them. */
final class Formula {

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

    /** Noise of mean 0.5 and variance 1. */
    static float[] images(int size) {
        float[] images = new float[size];
        for (int i = 0; i < size; i++) {
            images[i] = (float) (0.5 + noise(i, 0));
        }
        return images;
    }

    private static double noise(int i, int k) {
        double s = Math.sin(12.9898 * i + 78.233 * k) * 43758.5453;
        return Math.sqrt(3) * (2 * (s - Math.floor(s)) - 1);
    }
}
