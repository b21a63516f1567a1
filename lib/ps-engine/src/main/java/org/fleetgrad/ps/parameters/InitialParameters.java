package org.fleetgrad.ps.parameters;

import java.util.Map;
import java.util.Optional;
import org.fleetgrad.files.text.Printable;
import org.fleetgrad.protocol.MetadataKeys;
import org.fleetgrad.protocol.partition.PartitionLabel;
import org.fleetgrad.protocol.tensor.ParameterState;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.work.ReportedProgress;

/**
 * A parameter set from a client or a file, already checked: all float32, all finite.
 *
 * @param layout   canonical
 * @param values   in the order of the layout; ownership passes to the receiver
 * @param metadata strings that every version will carry
 * @param progress training progress behind the set, if it is stated
 */
public record InitialParameters(
        TensorLayout layout, float[] values, Map<String, String> metadata, Optional<ReportedProgress> progress) {

    /** Makes a set that does not state its training progress. */
    public InitialParameters(TensorLayout layout, float[] values, Map<String, String> metadata) {
        this(layout, values, metadata, Optional.empty());
    }

    /**
     * Checks the metadata of the network: its name is short enough, and its state is among these tensors. A partition
     * names the state of the complete set.
     *
     * @throws IllegalArgumentException if a check fails, or the metadata are malformed; the message has the tensor or
     *     the numbers
     */
    public static void requireNetwork(TensorLayout layout, Map<String, String> metadata) {
        int characters = metadata.getOrDefault(MetadataKeys.NETWORK, "").length();
        if (characters > MetadataKeys.MAX_NETWORK_LENGTH) {
            throw new IllegalArgumentException("the metadata '%s' has %d characters; it may have %d"
                    .formatted(MetadataKeys.NETWORK, characters, MetadataKeys.MAX_NETWORK_LENGTH));
        }
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
