package org.fleetgrad.worker.data;

import org.jspecify.annotations.Nullable;

/** An activation's shard cannot be fetched or read; the message says which one and why. */
public final class ShardUnavailableException extends Exception {

    private static final long serialVersionUID = 1L;

    private final boolean isDamaged;

    private ShardUnavailableException(String message, boolean isDamaged, @Nullable Throwable cause) {
        super(message, cause);
        this.isDamaged = isDamaged;
    }

    /** There is no file, or it is currently unreachable. */
    static ShardUnavailableException absent(String message, @Nullable Throwable cause) {
        return new ShardUnavailableException(message, false, cause);
    }

    /** The file is not a shard. */
    static ShardUnavailableException damaged(String message, Throwable cause) {
        return new ShardUnavailableException(message, true, cause);
    }

    /** Returns whether the file is not a shard: a retry helps only after the file was replaced. */
    public boolean isDamaged() {
        return isDamaged;
    }
}
