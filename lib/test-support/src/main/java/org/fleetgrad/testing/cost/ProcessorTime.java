package org.fleetgrad.testing.cost;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The processor time of this JVM and of every process that it started, ended or not.
 *
 * <p>Linux adds the time of an ended process to the parent that waited for it (proc(5): {@code cutime}, {@code cstime}). Running
 * processes are read one by one. A process whose parent died before it is not counted, and neither is a container.
 */
final class ProcessorTime {

    private static final Path PROC = Path.of("/proc");

    /** Clock ticks of 10 ms: {@code USER_HZ} is 100 on every Linux that Java runs on. */
    private static final Duration TICK = Duration.ofMillis(10);

    /** Index after the name of the command: utime, stime, cutime and cstime are fields 14 to 17, the name is field 2. */
    private static final int FIRST = 14 - 3;

    private static final int FIELDS = 4;

    private ProcessorTime() {}

    /** Returns the time so far; where there is no {@code /proc}, that of this JVM's processes that still run, as Java knows it. */
    static Duration soFar() {
        ProcessHandle self = ProcessHandle.current();
        return self.descendants().map(ProcessorTime::of).reduce(of(self), Duration::plus);
    }

    private static Duration of(ProcessHandle process) {
        try {
            return parse(
                    Files.readString(PROC.resolve(Long.toString(process.pid())).resolve("stat")));
        } catch (IOException ended) {
            return process.info().totalCpuDuration().orElse(Duration.ZERO);
        }
    }

    /**
     * Reads a line of {@code /proc/PID/stat}. The command's name may contain spaces and parentheses, so the last parenthesis
     * ends it.
     */
    static Duration parse(String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        long ticks = 0;
        for (int field = FIRST; field < FIRST + FIELDS; field++) {
            ticks += Long.parseLong(fields[field]);
        }
        return TICK.multipliedBy(ticks);
    }
}
