package org.fleetgrad.optim;

import java.util.stream.IntStream;

/** Spreads a loop over many elements over the cores of the machine. Stateless and safe from several threads. */
public final class Cores {

    /** Elements below which waking another core takes longer than it saves. */
    private static final int LEAST = 1 << 19;

    /** A multiple of any vector and cache line. */
    private static final int PIECE = 1 << 17;

    private Cores() {}

    /** A loop over the elements from {@code from} to before {@code to}. */
    @FunctionalInterface
    public interface Loop {
        /** Runs it. */
        void run(int from, int to);
    }

    /**
     * Runs {@code loop} over every element once: few in the calling thread, many in pieces on all cores, of which this
     * thread is one. Returns when all of it is done; what the pieces wrote is seen by the caller.
     *
     * @param loop whose pieces have nothing in common; what it throws is thrown here
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
