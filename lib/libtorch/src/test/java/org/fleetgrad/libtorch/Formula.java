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
                double s = Math.sin(0.7 * i + k);
                if (tensor.momentum().isPresent()) {
                    s = tensor.name().endsWith("var") ? 1 : 0;
                } else if (tensor.shape().size() > 1) {
                    s *= Math.sqrt(2.0 * tensor.shape().get(0) / count);
                } else {
                    s = tensor.name().endsWith("weight") ? 1 + 0.1 * s : 0.1 * s;
                }
                values[from + i] = (float) s;
            }
        }
        return values;
    }

    /** Element i is cos(0.3 i). */
    static float[] images(int size) {
        float[] images = new float[size];
        for (int i = 0; i < size; i++) {
            images[i] = (float) Math.cos(0.3 * i);
        }
        return images;
    }
}
