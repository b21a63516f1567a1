package org.fleetgrad.libtorch;

import java.util.List;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.layer.Layer;
import org.fleetgrad.networks.layer.Lstm;
import org.fleetgrad.networks.layer.PaddedAttention;
import org.fleetgrad.networks.layer.Residual;
import org.fleetgrad.networks.layer.SelfAttention;
import org.fleetgrad.networks.layer.Sequential;

/**
 * The memory that a forward pass in evaluation mode takes for each sample of a batch: the peak of the arrays that {@link Steps}
 * holds at the same time. The network's own tensors and libtorch's workspace are not included.
 */
public final class ForwardMemory {

    private ForwardMemory() {}

    /** Returns the bytes for one sample, including its input. */
    public static long bytesOfSample(NetworkDefinition definition) {
        return most(definition.layers(), definition.spec().inputShape()) * Float.BYTES;
    }

    /** Returns the peak number of values while a layer computes, including its input and its output. */
    private static long most(Layer layer, List<Integer> input) {
        if (layer instanceof Sequential sequential) {
            return mostOfSequence(sequential, input);
        }
        if (layer instanceof Residual residual) {
            List<Integer> sum = residual.output(input);
            return Math.max(
                    most(residual.body(), input),
                    // The shortcut computes beside the body's output; its own output, or the block's, is the third.
                    values(sum) + Math.max(most(residual.shortcut().layer(), input), values(input) + values(sum)));
        }
        if (layer instanceof Lstm lstm) {
            return values(input) + values(layer.output(input)) + lstm.work(input);
        }
        boolean attends = layer instanceof SelfAttention || layer instanceof PaddedAttention;
        long own = attends ? attentionWork(layer, input) : 0;
        return values(input) + values(layer.output(input)) + own;
    }

    /** libtorch computes attention in blocks of queries; each needs its row of weights, and the output in another order. */
    private static long attentionWork(Layer attention, List<Integer> input) {
        return 2 * values(attention.output(input));
    }

    private static long mostOfSequence(Sequential sequential, List<Integer> input) {
        long most = values(input);
        List<Integer> shape = input;
        boolean isFirst = true;
        for (Sequential.Part part : sequential.parts()) {
            // The input of the sequence stays open; between two of its steps only their array is open.
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
