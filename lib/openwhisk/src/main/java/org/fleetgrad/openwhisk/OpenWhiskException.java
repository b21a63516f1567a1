package org.fleetgrad.openwhisk;

import java.io.IOException;
import java.util.OptionalInt;
import org.fleetgrad.openwhisk.Wire.WhiskResponse;
import org.jspecify.annotations.Nullable;

/** A call failed. The message has the address, the status and the controller's message, never the key. */
public final class OpenWhiskException extends IOException {

    private static final long serialVersionUID = 1L;

    /** Statuses from here on are failures of the server. */
    private static final int SERVER_ERROR = 500;

    private static final int TOO_MANY_REQUESTS = 429;

    /** The kinds of failure. */
    public enum Kind {
        /** The request was not sent: the connection failed. */
        UNREACHABLE,
        /** The request was sent, but no complete response arrived: the controller may have acted on it or not. */
        LOST,
        /** The request was not sent: the server's certificate is not trusted, or it does not speak TLS. */
        UNTRUSTED,
        /** The response is an error, with a status. */
        REFUSED,
        /** The response is not from OpenWhisk: another kind of server answered. */
        MALFORMED
    }

    private final Kind kind;
    private final int status;

    private OpenWhiskException(Kind kind, int status, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
        this.status = status;
    }

    static OpenWhiskException withoutAnswer(Kind kind, String message, @Nullable Throwable cause) {
        return new OpenWhiskException(kind, 0, message, cause);
    }

    static OpenWhiskException refused(WhiskResponse answer, String message) {
        return new OpenWhiskException(
                Kind.REFUSED, answer.status(), "%s: %d %s".formatted(answer.call(), answer.status(), message), null);
    }

    static OpenWhiskException malformed(WhiskResponse answer, String what) {
        return new OpenWhiskException(
                Kind.MALFORMED,
                answer.status(),
                "%s answered %d with %s".formatted(answer.call(), answer.status(), what),
                null);
    }

    /** Returns the kind of failure. */
    public Kind kind() {
        return kind;
    }

    /** Returns the status of the response, if there was one. */
    public OptionalInt status() {
        return status == 0 ? OptionalInt.empty() : OptionalInt.of(status);
    }

    /** Returns whether the same call may succeed later without any change here. */
    public boolean isTransient() {
        return switch (kind) {
            case UNREACHABLE, LOST -> true;
            case REFUSED -> status >= SERVER_ERROR || status == TOO_MANY_REQUESTS;
            case UNTRUSTED, MALFORMED -> false;
        };
    }
}
