package org.fleetgrad.ps.parameters;

import java.util.Map;
import org.fleetgrad.files.text.Printable;
import org.fleetgrad.protocol.partition.PartitionLabel;
import org.fleetgrad.protocol.tensor.ParameterState;
import org.fleetgrad.protocol.tensor.TensorLayout;

/**
 * A parameter set from a client or a file, already checked: all float32, all finite.
 *
 * @param layout   canonical
 * @param values   in the order of the layout; ownership passes to the receiver
 * @param metadata strings that every version will carry
 */
public record InitialParameters(TensorLayout layout, float[] values, Map<String, String> metadata) {

    /**
     * Checks that the state that metadata name is of these tensors. A partition names the state of the whole set.
     *
     * @throws IllegalArgumentException when it is not, or is malformed; the message names the tensor
     */
    public static void requireState(TensorLayout layout, Map<String, String> metadata) {
        ParameterState state = ParameterState.in(metadata);
        TensorLayout whole =
                PartitionLabel.isIn(metadata) ? PartitionLabel.of(metadata).whole() : layout;
        for (String tensor : state.momenta().keySet()) {
            if (whole.indexOf(tensor).isEmpty()) {
                throw new IllegalArgumentException(Printable.text(
                        "the metadata '%s' names the tensor '%s', which is not among the %d of the parameter set"
                                .formatted(ParameterState.KEY, tensor, whole.size())));
            }
        }
        if (state.momenta().size() == whole.size()) {
            throw new IllegalArgumentException(
                    "the metadata '%s' names all %d tensors of the parameter set: nothing is left to train"
                            .formatted(ParameterState.KEY, whole.size()));
        }
    }
}
