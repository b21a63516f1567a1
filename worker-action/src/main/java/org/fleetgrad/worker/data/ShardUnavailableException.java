package org.fleetgrad.worker.data;

import org.fleetgrad.datasets.shard.InvalidShardException;
import org.jspecify.annotations.Nullable;

/** An activation's shard cannot be fetched or read; the message says which one and why. */
public final class ShardUnavailableException extends Exception {

    private static final long serialVersionUID = 1L;

    ShardUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** Returns whether the file is not a shard: a retry helps only after the file was replaced. */
    public boolean isDamaged() {
        return getCause() instanceof InvalidShardException;
    }
}
