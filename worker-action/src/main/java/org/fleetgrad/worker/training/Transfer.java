package org.fleetgrad.worker.training;

import org.fleetgrad.protocol.encoding.Encoding;
import org.fleetgrad.protocol.encoding.Encodings;
import org.fleetgrad.protocol.encoding.ParameterEncoding;

/**
 * How gradients and parameters are transferred.
 *
 * @param gradients     encoding of the gradients
 * @param parameters    encoding of the parameters
 * @param isOverlapping whether the next batch is computed while a gradient is in flight, on parameters that are one step older
 */
public record Transfer(Encoding gradients, ParameterEncoding parameters, boolean isOverlapping) {

    /** Float32, without overlap. */
    public static final Transfer PLAIN = new Transfer(Encodings.PLAIN, Encodings.PLAIN, false);
}
