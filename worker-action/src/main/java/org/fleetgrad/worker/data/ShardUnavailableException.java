package org.fleetgrad.worker.data;

import org.jspecify.annotations.Nullable;

/** The shard an activation was given cannot be had; the message says which and why. */
public final class ShardUnavailableException extends Exception {

    private static final long serialVersionUID = 1L;

    private final boolean isDamaged;

    private ShardUnavailableException(String message, boolean isDamaged, @Nullable Throwable cause) {
        super(message, cause);
        this.isDamaged = isDamaged;
    }

    /** Nothing is there, or nothing that can be reached now. */
    static ShardUnavailableException absent(String message, @Nullable Throwable cause) {
        return new ShardUnavailableException(message, false, cause);
    }

    /** What is there is no shard. */
    static ShardUnavailableException damaged(String message, Throwable cause) {
        return new ShardUnavailableException(message, true, cause);
    }

    /** Tells whether something is there that is no shard, which it stays until somebody puts another. */
    public boolean isDamaged() {
        return isDamaged;
    }
}
