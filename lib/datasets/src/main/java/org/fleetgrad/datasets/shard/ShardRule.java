package org.fleetgrad.datasets.shard;

/** The rules that a shard, or the manifest of a set, can break. */
public enum ShardRule {
    /** The file is not gzip, or its checksum is wrong, or it ends early. */
    GZIP,
    /** The archive is not tar, or ends inside an entry. */
    TAR,
    /** An entry is something other than a regular file: a folder, a link, a device. */
    ENTRY_TYPE,
    /** An entry's name is not one of the two names of a shard; a path never is. */
    ENTRY_NAME,
    /** An entry occurs twice. */
    DUPLICATE_ENTRY,
    /** An entry is missing. */
    MISSING_ENTRY,
    /** An entry, or the bytes around the entries, exceed the limits. */
    TOO_LARGE,
    /** Bytes other than zero follow the end of the archive. */
    TRAILING_BYTES,
    /** {@code dataset.json} is invalid. */
    DESCRIPTION,
    /** {@code data.safetensors} does not have the SHA-256 that {@code dataset.json} states. */
    SHA256,
    /** {@code data.safetensors} breaks its format. */
    SAFETENSORS,
    /** The tensors are not {@code images} and {@code labels} of the stated types and shapes. */
    TENSORS,
    /** A label is not one of the classes. */
    LABEL,
    /** {@code manifest.json} is invalid, or does not match its shards. */
    MANIFEST
}
