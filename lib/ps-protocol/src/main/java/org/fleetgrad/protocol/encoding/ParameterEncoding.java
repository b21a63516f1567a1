package org.fleetgrad.protocol.encoding;

import org.fleetgrad.protocol.tensor.TensorLayout;

/** An encoding in which every value is there, under its tensor's name: parameters can travel in it, too. */
public sealed interface ParameterEncoding extends Encoding permits Float32, Float16, BFloat16, Int8 {

    /** Returns the float32 tensors that these tensors on the wire stand for, in their order. */
    TensorLayout plainLayout(TensorLayout wire);
}
