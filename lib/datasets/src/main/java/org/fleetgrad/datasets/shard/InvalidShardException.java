package org.fleetgrad.datasets.shard;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A file breaks a rule of a shard or of a set of shards. The message has the file, the rule and the numbers. */
public final class InvalidShardException extends IOException {

    private static final long serialVersionUID = 1L;

    private final ShardRule rule;

    /** Makes an exception: {@code source} breaks {@code rule}, with the details. */
    public InvalidShardException(String source, ShardRule rule, String detail) {
        this(source, rule, detail, null);
    }

    /** Makes an exception: {@code source} breaks {@code rule}, with the details and the cause. */
    public InvalidShardException(String source, ShardRule rule, String detail, @Nullable Throwable cause) {
        super("%s breaks rule %s: %s".formatted(source, rule, detail), cause);
        this.rule = rule;
    }

    /** Returns the broken rule. */
    public ShardRule rule() {
        return rule;
    }

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
        /** A token is not in the vocabulary. */
        TOKEN,
        /** {@code manifest.json} is invalid, or does not match its shards. */
        MANIFEST
    }
}
