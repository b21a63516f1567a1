package org.fleetgrad.worker.training;

import org.fleetgrad.protocol.encoding.Encoding;
import org.fleetgrad.protocol.encoding.Encodings;
import org.fleetgrad.protocol.encoding.ParameterEncoding;

/**
 * How gradients and parameters travel.
 *
 * @param gradients     what gradients travel as
 * @param parameters    what parameters travel as
 * @param isOverlapping whether the next batch is computed while a gradient travels, on parameters that are one step older
 */
public record Transfer(Encoding gradients, ParameterEncoding parameters, boolean isOverlapping) {

    /** As they are, one after the other. */
    public static final Transfer PLAIN = new Transfer(Encodings.PLAIN, Encodings.PLAIN, false);
}
