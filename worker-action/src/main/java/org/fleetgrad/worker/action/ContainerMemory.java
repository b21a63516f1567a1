package org.fleetgrad.worker.action;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.fleetgrad.networks.NetworkSpec;

/**
 * The memory of the container, and what a network takes of it. Linux kills a process that takes more, without a word: so
 * the worker says before that the network does not fit.
 *
 * @param heapBytes  the largest heap
 * @param limitBytes the container's limit; absent if it has none
 */
record ContainerMemory(long heapBytes, OptionalLong limitBytes) {

    /** Limits of control groups of version 2 and 1. */
    private static final List<Path> LIMITS =
            List.of(Path.of("/sys/fs/cgroup/memory.max"), Path.of("/sys/fs/cgroup/memory/memory.limit_in_bytes"));

    /** Without a limit, version 1 states a number near 2^63. */
    private static final long NO_LIMIT = 1L << 50;

    /** Arrays of the heap: a gradient, its encoded form, the answer that is read, and the initial values. */
    private static final int HEAP_COPIES = 4;

    /** Outside the heap: values, parameters, gradients. */
    private static final int NATIVE_COPIES = 3;

    /** What a worker takes with a very small network: the JVM, libtorch, and a shard. */
    private static final long HEAP_OF_WORKER = 24L << 20;

    private static final long NATIVE_OF_WORKER = 110L << 20;

    /** Asks the JVM and the system. */
    static ContainerMemory here() {
        return new ContainerMemory(Runtime.getRuntime().maxMemory(), limit());
    }

    private static OptionalLong limit() {
        for (Path file : LIMITS) {
            try {
                long bytes = Long.parseLong(Files.readString(file).strip());
                return bytes < NO_LIMIT ? OptionalLong.of(bytes) : OptionalLong.empty();
            } catch (IOException | NumberFormatException absent) {
                // The other version, no limit ("max"), or not Linux.
            }
        }
        return OptionalLong.empty();
    }

    /**
     * Checks that a worker fits, whatever it trains; to be asked before libtorch is loaded.
     *
     * @throws IllegalArgumentException if it does not; the message has the numbers
     */
    void requireWorker() {
        long least = HEAP_OF_WORKER + NATIVE_OF_WORKER;
        if (least > limitBytes.orElse(Long.MAX_VALUE)) {
            throw new IllegalArgumentException(
                    "a worker needs memory of %d MiB before its network; this container has %d MiB: give it more memory, such as 256 MiB"
                            .formatted(least >> 20, limitBytes.orElse(0) >> 20));
        }
    }

    /**
     * Checks that a network fits, not counting what its layers compute.
     *
     * @throws IllegalArgumentException if it does not; the message has the numbers
     */
    void requireFits(NetworkSpec network) {
        long bytes = network.layout().byteLength();
        long heap = HEAP_OF_WORKER + HEAP_COPIES * bytes;
        long all = heap + NATIVE_OF_WORKER + NATIVE_COPIES * bytes;
        if (heap > heapBytes) {
            throw new IllegalArgumentException(
                    "the network %s has parameters of %.1f MB and needs a heap of %.1f MB; this worker's is %.1f MB: give it more memory"
                            .formatted(network.name(), bytes / 1e6, heap / 1e6, heapBytes / 1e6));
        }
        if (all > limitBytes.orElse(Long.MAX_VALUE)) {
            throw new IllegalArgumentException(
                    "the network %s has parameters of %.1f MB and needs %.1f MB and what its layers compute; this container has %.1f MB: give it more memory"
                            .formatted(network.name(), bytes / 1e6, all / 1e6, limitBytes.orElse(0) / 1e6));
        }
    }
}
