package org.fleetgrad.protocol.encoding;

import org.fleetgrad.protocol.tensor.TensorLayout;

/** An encoding that carries every value, under its tensor's name: so it can encode parameters, too. */
public sealed interface ParameterEncoding extends Encoding permits Float32, HalfPrecision, Int8 {

    /** Returns the float32 tensors that the tensors on the wire decode to, in the same order. */
    TensorLayout plainLayout(TensorLayout wire);
}
