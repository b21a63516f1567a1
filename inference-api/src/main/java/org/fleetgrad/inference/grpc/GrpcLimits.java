package org.fleetgrad.inference.grpc;

import java.time.Duration;

/**
 * What callers may take.
 *
 * @param messageBytes largest message of a request
 * @param calls        calls at a time that have or get a message
 * @param memory       memory of the messages that are read at a time, each with what becomes of it
 * @param connections  connections at a time
 * @param patience     longest time until a message has arrived, and until a client has taken its answer
 */
record GrpcLimits(int messageBytes, int calls, long memory, int connections, Duration patience) {

    /** What implementations of gRPC take by themselves. Larger messages would leave memory for a few calls only. */
    static final int MOST_MESSAGE = 4 << 20;

    /** Calls of one connection; a client that has more under way lets them wait. */
    static final int CALLS_OF_A_CONNECTION = 128;

    /** Bytes of a connection that nobody has asked for yet. */
    static final int WINDOW = 256 * 1024;

    /** How much larger than its bytes a message can become: a number of one byte is kept in eight. */
    static final int GROWTH = 8;

    private static final int MOST_CALLS = 256;
    private static final int FEWEST_CALLS = 8;
    private static final int CONNECTIONS = 1_000;
    private static final int SHARE = 8;

    /** Allows the messages that arrive an eighth of the heap, and those that are read another. */
    static GrpcLimits of(int messageBytes, long heap) {
        long share = heap / SHARE;
        return new GrpcLimits(
                messageBytes,
                (int) Math.max(FEWEST_CALLS, Math.min(MOST_CALLS, share / messageBytes)),
                share,
                CONNECTIONS,
                Duration.ofSeconds(30));
    }
}
