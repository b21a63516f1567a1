package org.fleetgrad.worker.data;

import org.jspecify.annotations.Nullable;

/** The shard an activation was given cannot be had; the message says which and why. */
public final class ShardUnavailableException extends Exception {

    private static final long serialVersionUID = 1L;

    ShardUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
