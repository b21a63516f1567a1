package org.fleetgrad.protocol.encoding;

import org.fleetgrad.files.text.Printable;

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

    /** Returns the name of the tensor on the wire. */
    public String tensor() {
        return tensor;
    }

    /** Returns the index of the value in the tensor. */
    public long index() {
        return index;
    }
}
