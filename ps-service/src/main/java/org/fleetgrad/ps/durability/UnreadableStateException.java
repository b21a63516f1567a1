package org.fleetgrad.ps.durability;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The files of a checkpoint are intact, but do not form a state. */
final class UnreadableStateException extends IOException {

    private static final long serialVersionUID = 1L;

    UnreadableStateException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
