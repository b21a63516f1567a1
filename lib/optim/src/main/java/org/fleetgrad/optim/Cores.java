package org.fleetgrad.optim;

import java.util.stream.IntStream;

/** Spreads a loop over many elements over the cores of the machine. Stateless and thread-safe. */
public final class Cores {

    /** With fewer elements than this, waking another core takes longer than it saves. */
    private static final int LEAST = 1 << 19;

    /** A multiple of any vector and cache line. */
    private static final int PIECE = 1 << 17;

    private Cores() {}

    /** A loop over the elements from {@code from} to before {@code to}. */
    @FunctionalInterface
    public interface Loop {
        void run(int from, int to);
    }

    /**
     * Runs {@code loop} over every element once: a short loop in the calling thread, a long one in pieces on all cores,
     * with the calling thread among them. Returns when all pieces are done; the caller sees all that they wrote.
     *
     * @param loop pieces must not share elements; an exception of a piece is thrown to the caller
     */
    public static void each(int size, Loop loop) {
        if (size < LEAST) {
            loop.run(0, size);
            return;
        }
        int pieces = (size + PIECE - 1) / PIECE;
        IntStream.range(0, pieces).parallel().forEach(piece -> {
            int from = piece * PIECE;
            loop.run(from, Math.min(size, from + PIECE));
        });
    }
}
