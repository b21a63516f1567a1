package org.fleetgrad.protocol.safetensors;

/** The rules that a safetensors file can break. */
public enum SafetensorsRule {
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
