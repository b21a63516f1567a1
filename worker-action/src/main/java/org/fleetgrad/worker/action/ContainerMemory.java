package org.fleetgrad.worker.action;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.fleetgrad.networks.NetworkSpec;

/**
 * The memory of the container, and how much a network needs. Linux kills a process that exceeds the limit, without a message:
 * so the worker reports beforehand that the network does not fit.
 *
 * @param heapBytes  the largest heap
 * @param limitBytes the container's limit; absent if it has none
 */
record ContainerMemory(long heapBytes, OptionalLong limitBytes) {

    /** The limit files of cgroup v2 and v1. */
    private static final List<Path> LIMITS =
            List.of(Path.of("/sys/fs/cgroup/memory.max"), Path.of("/sys/fs/cgroup/memory/memory.limit_in_bytes"));

    /** Without a limit, cgroup v1 reports a number near 2^63. */
    private static final long NO_LIMIT = 1L << 50;

    /** Arrays on the heap: a gradient, its encoded form, the response being read, and the initial values. */
    private static final int HEAP_COPIES = 4;

    /** Outside the heap: values, parameters, gradients. */
    private static final int NATIVE_COPIES = 3;

    /** What a worker needs for a very small network: the JVM, libtorch, and a shard. */
    private static final long HEAP_OF_WORKER = 24L << 20;

    private static final long NATIVE_OF_WORKER = 110L << 20;

    /** Reads the limits from the JVM and the system. */
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
     * Checks that a worker fits, whatever it trains; to be called before libtorch is loaded.
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
     * Checks that a network fits, not counting the activations of its layers.
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
