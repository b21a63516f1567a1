package org.fleetgrad.protocol.safetensors;

import org.fleetgrad.files.text.Printable;

/**
 * Says which rule of the safetensors format a body breaks, with the tensor and the numbers in the message. The message
 * is {@linkplain Printable printable}, even if the names in the body are not.
 */
public final class SafetensorsException extends Exception {

    private static final long serialVersionUID = 1L;

    /** The rules that a safetensors file can break. */
    public enum Rule {
        /** The body is longer than the receiver accepts. */
        BODY_TOO_LARGE,
        /** The body ends before the header length, or before the header, is complete. */
        HEADER_TRUNCATED,
        /** The header is longer than the receiver accepts. */
        HEADER_TOO_LARGE,
        /** The header is not UTF-8. */
        HEADER_NOT_UTF8,
        /** The header is not the JSON object that the format requires. */
        HEADER_NOT_JSON,
        /** A name, or a key of a tensor, appears twice. */
        DUPLICATE_NAME,
        /** {@code __metadata__} holds something other than strings. */
        METADATA_NOT_STRINGS,
        /** A tensor lacks {@code dtype}, {@code shape} or {@code data_offsets}, or has a key beyond these. */
        TENSOR_INCOMPLETE,
        /** A tensor's element type is not one of the format's. */
        UNKNOWN_DTYPE,
        /** A dimension, an offset or their product does not fit. */
        SIZE_OVERFLOW,
        /** A tensor's offsets do not span the bytes that its type and shape take. */
        SIZE_MISMATCH,
        /** The tensors overlap, or leave a gap. */
        NOT_CONTIGUOUS,
        /** The data ends before, or continues after, the last tensor. */
        DATA_LENGTH_MISMATCH
    }

    private final Rule rule;

    SafetensorsException(Rule rule, String message) {
        super(Printable.text(message));
        this.rule = rule;
    }

    /** Returns the broken rule. */
    public Rule rule() {
        return rule;
    }
}
