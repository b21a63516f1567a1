package org.fleetgrad.pipeline.channel.socket;

/** What a message on a connection is. The order is the number on the wire. */
enum MessageKind {
    /** A frame of the sender. */
    FRAME,
    /** The sender's stage failed; the bytes are the reason. */
    FAILED,
    /** No frame will follow. */
    SENDS_NO_MORE,
    /** No frame will be received any more. */
    RECEIVES_NO_MORE
}
