package org.fleetgrad.worker.action;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.OptionalDouble;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The peak memory of the process during an activation that the system cannot reclaim: the heap, tensors, and what the
 * JVM allocated. File-backed pages, such as libtorch's code, are not counted: Linux drops them when a container's
 * memory is short. Linux records no such peak, so it is sampled. Thread-safe.
 */
public final class ProcessMemory implements AutoCloseable {

    private static final Path STATUS = Path.of("/proc/self/status");
    private static final long EVERY_MS = 100;

    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(ProcessMemory::daemon);
    private long largestKibibytes;

    private ProcessMemory() {}

    private static Thread daemon(Runnable work) {
        Thread sampling = new Thread(work, "working-memory");
        sampling.setDaemon(true);
        return sampling;
    }

    /** Returns how large the heap is, and what helps, for a heap that is full. */
    public static String explain(OutOfMemoryError full) {
        return "its heap of %d MiB is full (%s); give the action more memory, or it smaller shards"
                .formatted(Runtime.getRuntime().maxMemory() >> 20, full.getMessage());
    }

    /**
     * Returns the peak resident memory of the process in MiB, reclaimable or not; empty if the system does not report
     * it.
     */
    public static OptionalDouble peakMebibytes() {
        try {
            return mebibytes(sum(Files.readString(STATUS, StandardCharsets.ISO_8859_1), "VmHWM:"));
        } catch (IOException unreadable) {
            return OptionalDouble.empty();
        }
    }

    /** Starts sampling. */
    static ProcessMemory watch() {
        ProcessMemory memory = new ProcessMemory();
        if (Files.isReadable(STATUS)) {
            Object unused =
                    memory.thread.scheduleAtFixedRate(memory::sample, EVERY_MS, EVERY_MS, TimeUnit.MILLISECONDS);
        }
        return memory;
    }

    private synchronized void sample() {
        try {
            largestKibibytes =
                    Math.max(largestKibibytes, kibibytes(Files.readString(STATUS, StandardCharsets.ISO_8859_1)));
        } catch (IOException unreadable) {
            // The earlier samples count.
        }
    }

    /**
     * Returns the memory that cannot be reclaimed, from the lines of a {@code /proc/PID/status}; all resident memory
     * where the kernel does not distinguish the two.
     */
    static long kibibytes(String status) {
        long own = sum(status, "RssAnon:", "RssShmem:");
        return own > 0 ? own : sum(status, "VmRSS:");
    }

    private static long sum(String status, String... names) {
        return status.lines()
                .filter(line -> Arrays.stream(names).anyMatch(line::startsWith))
                .mapToLong(ProcessMemory::number)
                .sum();
    }

    /** Reads a line such as {@code RssAnon:    170512 kB}. */
    private static long number(String line) {
        String digits = line.replaceAll("\\D", "");
        return digits.isEmpty() || digits.length() > 15 ? 0 : Long.parseLong(digits);
    }

    private static OptionalDouble mebibytes(long kibibytes) {
        return kibibytes == 0 ? OptionalDouble.empty() : OptionalDouble.of(kibibytes / 1024.0);
    }

    /** Takes a sample, and returns the largest so far; empty if the system does not report it. */
    synchronized OptionalDouble largestMebibytes() {
        sample();
        return mebibytes(largestKibibytes);
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
