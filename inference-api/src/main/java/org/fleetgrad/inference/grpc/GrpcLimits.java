package org.fleetgrad.inference.grpc;

import java.time.Duration;
import org.fleetgrad.inference.body.BodyMemory;

/**
 * What callers may take, beside the memory of their messages.
 *
 * @param messageBytes largest message of a request
 * @param calls        calls at a time that have or get a message
 * @param connections  connections at a time
 * @param patience     longest time until a message has arrived, and until a client has taken its answer
 */
record GrpcLimits(int messageBytes, int calls, int connections, Duration patience) {

    /** Calls of one connection; a client that has more under way lets them wait. */
    static final int CALLS_OF_A_CONNECTION = 128;

    /** Bytes of a connection that nobody has asked for yet. */
    static final int WINDOW = 256 * 1024;

    private static final int MOST_CALLS = 256;
    private static final int FEWEST_CALLS = 8;
    private static final int CONNECTIONS = 1_000;
    private static final int SHARE = 8;

    /** Allows what is free of each message an eighth of the heap together. */
    static GrpcLimits of(int messageBytes, long heap) {
        return new GrpcLimits(
                messageBytes,
                (int) Math.max(FEWEST_CALLS, Math.min(MOST_CALLS, heap / SHARE / BodyMemory.FREE_BYTES)),
                CONNECTIONS,
                Duration.ofSeconds(30));
    }
}
