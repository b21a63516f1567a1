package org.fleetgrad.protocol.encoding;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.fleetgrad.protocol.tensor.TensorLayout;

/** An encoding that D(C(values)) returns bit for bit: it leaves no residual, and carries values that are not finite. */
public sealed interface LosslessEncoding extends Encoding permits Float32, Rows {

    @Override
    default boolean isLossless() {
        return true;
    }

    /**
     * Writes C({@code values}) into {@code wire}.
     *
     * @param layout where each tensor's values are in {@code values}
     * @param values not changed
     * @param wire   filled from its position, with at most as many bytes as {@link #wireLayout} has
     * @return the tensors that were written
     */
    TensorLayout write(TensorLayout layout, float[] values, ByteBuffer wire);

    @Override
    default void encode(TensorLayout layout, float[] values, ByteBuffer wire) {
        TensorLayout unused = write(layout, values, wire);
        Arrays.fill(values, -0f);
    }
}
