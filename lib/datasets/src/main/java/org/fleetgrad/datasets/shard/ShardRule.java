package org.fleetgrad.datasets.shard;

/** The rules that a shard, or the manifest of a set, can break: one each, so that a caller can name which. */
public enum ShardRule {
    /** The file is not gzip, or its checksum is wrong, or it ends early. */
    GZIP,
    /** The archive is not tar, or ends inside an entry. */
    TAR,
    /** An entry is something other than a regular file: a folder, a link, a device. */
    ENTRY_TYPE,
    /** An entry's name is not one of the two that a shard has; a path is never one. */
    ENTRY_NAME,
    /** An entry stands twice. */
    DUPLICATE_ENTRY,
    /** An entry is missing. */
    MISSING_ENTRY,
    /** An entry, or the bytes around the entries, exceed the limits. */
    TOO_LARGE,
    /** Bytes other than zero follow the end of the archive. */
    TRAILING_BYTES,
    /** {@code dataset.json} is not what it should be. */
    DESCRIPTION,
    /** {@code data.safetensors} has another SHA-256 than {@code dataset.json} states. */
    SHA256,
    /** {@code data.safetensors} breaks its format. */
    SAFETENSORS,
    /** The tensors are not {@code images} and {@code labels} of the stated types and shapes. */
    TENSORS,
    /** A label is not one of the classes. */
    LABEL,
    /** {@code manifest.json} is not what it should be, or does not agree with its shards. */
    MANIFEST
}
