package org.fleetgrad.ps.settings;

import java.util.BitSet;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.optim.DecayRanges;
import org.fleetgrad.protocol.partition.PartitionLabel;
import org.fleetgrad.protocol.tensor.DType;
import org.fleetgrad.protocol.tensor.ParameterState;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorPiece;
import org.fleetgrad.protocol.tensor.TensorSpec;

/** Which tensors weight decay acts on. It never acts on a network's state, which no optimizer steps. */
public enum DecayScope {

    /** All parameters, as PyTorch's optimizers do by default. */
    EVERYTHING,

    /**
     * Parameters of two dimensions and more: the weights of convolutions and linear layers, without biases and
     * normalization.
     */
    MATRICES;

    /**
     * Returns the ranges of a parameter set that are decayed. A piece of a partitioned tensor has one dimension, so the
     * tensor that it was cut from decides.
     *
     * @param metadata of the parameter set
     */
    DecayRanges ranges(TensorLayout layout, Map<String, String> metadata) {
        ParameterState state = ParameterState.in(metadata);
        Optional<TensorLayout> whole = PartitionLabel.isIn(metadata)
                ? Optional.of(PartitionLabel.of(metadata).whole())
                : Optional.empty();
        BitSet undecayed = new BitSet();
        for (int i = 0; i < layout.size(); i++) {
            TensorSpec spec = layout.specs().get(i);
            TensorSpec origin = whole.map(all -> origin(spec, all)).orElse(spec);
            if (state.has(spec.name()) || (this == MATRICES && origin.shape().size() < 2)) {
                int begin = (int) (layout.byteOffset(i) / DType.F32.bytes());
                undecayed.set(begin, begin + (int) spec.elementCount());
            }
        }
        return DecayRanges.without((int) layout.elementCount(), undecayed);
    }

    /** Returns the tensor that a piece was cut from, or the tensor itself if it was not cut. */
    private static TensorSpec origin(TensorSpec piece, TensorLayout whole) {
        return whole.indexOf(piece.name())
                .or(() -> whole.indexOf(TensorPiece.tensorOf(piece.name())))
                .map(whole.specs()::get)
                .orElse(piece);
    }
}
