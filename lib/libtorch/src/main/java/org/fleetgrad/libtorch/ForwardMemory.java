package org.fleetgrad.libtorch;

import java.util.List;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.layer.Layer;
import org.fleetgrad.networks.layer.Residual;
import org.fleetgrad.networks.layer.Sequential;

/**
 * The memory that a forward pass in evaluation mode takes for each image of a batch: the arrays that {@link Steps} holds at
 * the same time, where they are most. The network's own tensors and libtorch's work space come on top.
 */
public final class ForwardMemory {

    private ForwardMemory() {}

    /** Returns bytes for one image, its pixels included. */
    public static long bytesOfImage(NetworkDefinition definition) {
        return most(definition.layers(), definition.spec().inputShape()) * Float.BYTES;
    }

    /** Returns the most values at once while a layer computes, with its input and its output. */
    private static long most(Layer layer, List<Integer> input) {
        if (layer instanceof Sequential sequential) {
            return mostOfSequence(sequential, input);
        }
        if (layer instanceof Residual residual) {
            List<Integer> sum = residual.output(input);
            return Math.max(
                    most(residual.body(), input),
                    // The shortcut computes beside the body's output; its own output, or the block's, is the third.
                    values(sum) + Math.max(most(residual.shortcut(), input), values(input) + values(sum)));
        }
        return values(input) + values(layer.output(input));
    }

    private static long mostOfSequence(Sequential sequential, List<Integer> input) {
        long most = values(input);
        List<Integer> shape = input;
        boolean isFirst = true;
        for (Sequential.Part part : sequential.parts()) {
            // The input of the sequence stays open; between two of its steps only their array does.
            most = Math.max(most, most(part.layer(), shape) + (isFirst ? 0 : values(input)));
            shape = part.layer().output(shape);
            isFirst = false;
        }
        return most;
    }

    private static long values(List<Integer> shape) {
        return shape.stream().mapToLong(Integer::longValue).reduce(1, Math::multiplyExact);
    }
}
