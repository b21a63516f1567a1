package org.fleetgrad.pipeline.channel.socket;

import java.util.Optional;

/** The kind of a message on a connection. */
enum MessageKind {
    /** A frame of the sender. */
    FRAME(0),
    /** The sender's stage failed; the bytes are the reason. */
    FAILED(1),
    /** No frame will follow. */
    SENDS_NO_MORE(2),
    /** No further frame will be received. */
    RECEIVES_NO_MORE(3);

    private final int code;

    MessageKind(int code) {
        this.code = code;
    }

    /** Returns its byte on the wire. */
    int code() {
        return code;
    }

    /** Returns the kind with this byte. */
    static Optional<MessageKind> of(int code) {
        for (MessageKind kind : values()) {
            if (kind.code == code) {
                return Optional.of(kind);
            }
        }
        return Optional.empty();
    }
}
