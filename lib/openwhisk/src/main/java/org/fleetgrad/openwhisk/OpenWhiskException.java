package org.fleetgrad.openwhisk;

import java.io.IOException;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** A call came to nothing; the message has the address, the status and the controller's words, never the key. */
public final class OpenWhiskException extends IOException {

    private static final long serialVersionUID = 1L;

    /** Answers with a status from here on are the server's affair. */
    private static final int SERVER_ERROR = 500;

    private static final int TOO_MANY_REQUESTS = 429;

    /** What became of the call. */
    public enum Kind {
        /** The request was not sent: there is no connection. */
        UNREACHABLE,
        /** The request was sent, and what became of it is not known: there is no whole answer. */
        LOST,
        /** The request was not sent: this is not the server that is trusted, or it speaks no TLS. */
        UNTRUSTED,
        /** The answer is an error, with a status. */
        REFUSED,
        /** The answer is none of OpenWhisk's: what answers is something else. */
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

    static OpenWhiskException refused(Answer answer, String message) {
        return new OpenWhiskException(
                Kind.REFUSED, answer.status(), "%s: %d %s".formatted(answer.call(), answer.status(), message), null);
    }

    static OpenWhiskException malformed(Answer answer, String what) {
        return new OpenWhiskException(
                Kind.MALFORMED,
                answer.status(),
                "%s answered %d with %s".formatted(answer.call(), answer.status(), what),
                null);
    }

    /** Returns what became of the call. */
    public Kind kind() {
        return kind;
    }

    /** Returns the status of the answer, where there was one. */
    public OptionalInt status() {
        return status == 0 ? OptionalInt.empty() : OptionalInt.of(status);
    }

    /** Tells whether the same call may succeed later, with nothing changed here. */
    public boolean isTransient() {
        return switch (kind) {
            case UNREACHABLE, LOST -> true;
            case REFUSED -> status >= SERVER_ERROR || status == TOO_MANY_REQUESTS;
            case UNTRUSTED, MALFORMED -> false;
        };
    }
}
