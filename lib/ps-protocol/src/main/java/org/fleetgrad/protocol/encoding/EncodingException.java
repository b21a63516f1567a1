package org.fleetgrad.protocol.encoding;

import org.fleetgrad.protocol.Printable;

/** Tensors that no encoder writes, or values that cannot be encoded; the message names tensor, rule and numbers. */
public final class EncodingException extends Exception {

    private static final long serialVersionUID = 1L;

    private final String tensor;
    private final long index;

    EncodingException(String tensor, long index, String message) {
        super(Printable.text(message));
        this.tensor = tensor;
        this.index = index;
    }

    /** Returns the tensor it is about, as it is called on the wire. */
    public String tensor() {
        return tensor;
    }

    /** Returns which of the tensor's values it is about. */
    public long index() {
        return index;
    }
}
