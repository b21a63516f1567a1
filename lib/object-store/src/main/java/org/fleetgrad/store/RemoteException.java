package org.fleetgrad.store;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Says that another machine failed, refused or sent something else than it should, and what to do about it. */
public final class RemoteException extends IOException {

    private static final long serialVersionUID = 1L;

    /** States what happened. */
    public RemoteException(String message) {
        this(message, null);
    }

    /** States what happened and what was thrown over it. */
    public RemoteException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
