package org.fleetgrad.store;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Another machine failed, refused, or sent something unexpected. The message also says what to do. */
public final class RemoteException extends IOException {

    private static final long serialVersionUID = 1L;

    /** Makes an exception with a message. */
    public RemoteException(String message) {
        this(message, null);
    }

    /** Makes an exception with a message and the cause. */
    public RemoteException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
