package org.fleetgrad.pipeline.stage;

import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.fleetgrad.networks.block.BlockRange;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSpec;

/**
 * A tensor of the first stage that the last stage uses as well, such as the token embedding of GPT-2. The first stage steps it;
 * the last one has a copy, without optimizer.
 *
 * @param tensor its name and shape
 * @param offset index of its first value among the parameters of the first stage; 0 on the last one
 */
public record TiedTensor(TensorSpec tensor, int offset) {

    /** Returns the tensor that a stage shares with another one; empty if there is none. */
    public static Optional<TiedTensor> of(BlockRange stage) {
        if (stage.tied().size() > 0) {
            return Optional.of(new TiedTensor(stage.tied().specs().get(0), 0));
        }
        return stage.lent().map(tensor -> {
            TensorLayout own = stage.parameters();
            long bytes = own.byteOffset(own.indexOf(tensor.name()).orElseThrow());
            return new TiedTensor(tensor, Math.toIntExact(bytes / Float.BYTES));
        });
    }

    /** Returns the number of its values. */
    public int count() {
        return Math.toIntExact(tensor.elementCount());
    }

    /** Returns the shape of its frames: one sample. */
    public long[] frameShape() {
        List<Long> shape = tensor.shape();
        return LongStream.concat(LongStream.of(1), shape.stream().mapToLong(Long::longValue))
                .toArray();
    }
}
