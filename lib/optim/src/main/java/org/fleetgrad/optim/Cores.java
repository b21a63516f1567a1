package org.fleetgrad.optim;

import java.util.concurrent.ForkJoinPool;
import java.util.stream.IntStream;

/** Distributes a loop over many elements across the cores of the machine. Stateless and thread-safe. */
public final class Cores {

    /** With fewer elements than this, waking another core takes longer than it saves. */
    private static final int LEAST = 1 << 19;

    /** A multiple of any vector and cache line. */
    private static final int PIECE = 1 << 17;

    private static final ThreadLocal<Integer> SHARERS = ThreadLocal.withInitial(() -> 1);

    private Cores() {}

    /**
     * States how many threads compute in parallel on this machine, including the calling one. Loops that it begins from
     * now on use its share of the cores, at least one: so no stage of a pipeline uses the others' cores.
     *
     * @param threads 1 or more
     */
    public static void shareAmong(int threads) {
        if (threads < 1) {
            throw new IllegalArgumentException("cores are shared among 1 thread or more; it is " + threads);
        }
        SHARERS.set(threads);
    }

    /** A loop over the elements from {@code from} (inclusive) to {@code to} (exclusive). */
    @FunctionalInterface
    public interface Loop {
        void run(int from, int to);
    }

    /**
     * Runs {@code loop} over every element once: a short loop in the calling thread, a long one in pieces on all cores,
     * or on the calling thread's share of them, including the calling thread. Returns when all pieces are done; their
     * writes are visible to the caller.
     *
     * @param loop pieces must not share elements; an exception of a piece is thrown to the caller
     */
    public static void each(int size, Loop loop) {
        int sharers = SHARERS.get();
        int cores = Math.max(1, all() / sharers);
        if (size < LEAST || cores == 1) {
            loop.run(0, size);
            return;
        }
        if (sharers > 1) {
            int part = (size - 1) / cores + 1;
            IntStream.range(0, cores)
                    .parallel()
                    .forEach(core -> loop.run(
                            (int) Math.min(size, (long) core * part), (int) Math.min(size, (core + 1L) * part)));
            return;
        }
        int pieces = (size + PIECE - 1) / PIECE;
        IntStream.range(0, pieces).parallel().forEach(piece -> {
            int from = piece * PIECE;
            loop.run(from, Math.min(size, from + PIECE));
        });
    }

    /** The pool has a thread even on a machine with one core: with the caller that would be one too many. */
    private static int all() {
        return Math.min(Runtime.getRuntime().availableProcessors(), ForkJoinPool.getCommonPoolParallelism() + 1);
    }
}
