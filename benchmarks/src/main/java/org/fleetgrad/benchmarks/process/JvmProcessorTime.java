package org.fleetgrad.benchmarks.process;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The processor time of a JVM's threads since its start, by what they do, and how often they gave a processor up, on
 * systems with {@code /proc}. What a thread took that has ended meanwhile is not counted.
 */
public record JvmProcessorTime(Map<Work, Long> nanos, long switches) {

    private static final double NANOS_IN_MILLI = 1e6;

    public enum Work {
        COMPILE("C[12] Compiler"),
        /** The collector: a serial one works in the VM's own thread. */
        COLLECT("VM Thread|GC Thread|G1 "),
        /** Every other thread: what the program is for. */
        SERVE("");

        private final Pattern beginning;

        Work(String beginning) {
            this.beginning = Pattern.compile(beginning);
        }

        /** @param thread its name, of which the system keeps 15 characters */
        static Work of(String thread) {
            return Stream.of(values())
                    .filter(work -> work.beginning.matcher(thread).lookingAt())
                    .findFirst()
                    .orElseThrow();
        }
    }

    public static boolean isKnown() {
        return Files.exists(Path.of("/proc/self/task")) && Files.exists(Path.of("/proc/self/schedstat"));
    }

    /** Returns the time of a process until now. */
    public static JvmProcessorTime of(Process process) throws IOException {
        return in(Path.of("/proc", Long.toString(process.pid()), "task"));
    }

    /** Reads the times of all threads in a folder of the system's. */
    static JvmProcessorTime in(Path tasks) throws IOException {
        Map<Work, Long> nanos = new EnumMap<>(Work.class);
        for (Work work : Work.values()) {
            nanos.put(work, 0L);
        }
        long switches = 0;
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
            for (Path thread : threads) {
                try {
                    Work work = Work.of(Files.readString(thread.resolve("comm")));
                    long took = Long.parseLong(Files.readString(thread.resolve("schedstat"))
                            .strip()
                            .split(" ")[0]);
                    switches += switches(thread);
                    nanos.merge(work, took, Long::sum);
                } catch (IOException ended) {
                    // A thread may end while it is looked at.
                    if (Files.exists(thread)) {
                        throw ended;
                    }
                }
            }
        }
        return new JvmProcessorTime(nanos, switches);
    }

    private static long switches(Path thread) throws IOException {
        return Files.readAllLines(thread.resolve("status")).stream()
                .filter(line -> line.contains("ctxt_switches:"))
                .mapToLong(line ->
                        Long.parseLong(line.substring(line.indexOf(':') + 1).strip()))
                .sum();
    }

    /** Returns what was taken since an earlier look. */
    public JvmProcessorTime since(JvmProcessorTime earlier) {
        Map<Work, Long> taken = new EnumMap<>(Work.class);
        nanos.forEach((work, now) -> taken.put(work, now - earlier.nanos.getOrDefault(work, 0L)));
        return new JvmProcessorTime(taken, switches - earlier.switches);
    }

    public double millis(Work work) {
        return nanos.getOrDefault(work, 0L) / NANOS_IN_MILLI;
    }

    public double millis() {
        return nanos.values().stream().mapToLong(Long::longValue).sum() / NANOS_IN_MILLI;
    }
}
