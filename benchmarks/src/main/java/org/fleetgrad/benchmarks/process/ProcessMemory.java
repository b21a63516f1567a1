package org.fleetgrad.benchmarks.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What a process takes of the machine's memory, where the system tells. */
public final class ProcessMemory {

    private static final double KIBIBYTES_IN_MEBIBYTE = 1024;

    private ProcessMemory() {}

    /** Tells whether this system tells. */
    public static boolean isKnown() {
        return Files.exists(Path.of("/proc/self/status"));
    }

    /** Returns what is resident now, or zero where the process is gone or the system does not tell. */
    public static double residentMebibytes(Process process) throws IOException {
        return value(process, "VmRSS:");
    }

    /** Returns the most that was ever resident. */
    public static double peakMebibytes(Process process) throws IOException {
        return value(process, "VmHWM:");
    }

    private static double value(Process process, String key) throws IOException {
        Path status = Path.of("/proc", Long.toString(process.pid()), "status");
        if (!Files.exists(status)) {
            return 0;
        }
        for (String line : Files.readAllLines(status)) {
            if (line.startsWith(key)) {
                return Double.parseDouble(line.replaceAll("\\D", "")) / KIBIBYTES_IN_MEBIBYTE;
            }
        }
        return 0;
    }
}
