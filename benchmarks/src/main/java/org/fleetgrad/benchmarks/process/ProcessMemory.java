package org.fleetgrad.benchmarks.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads the memory of a process, on systems with /proc. */
public final class ProcessMemory {

    private static final double KIBIBYTES_IN_MEBIBYTE = 1024;

    private ProcessMemory() {}

    public static boolean isKnown() {
        return Files.exists(Path.of("/proc/self/status"));
    }

    /** Returns the resident memory now; zero if the process has ended or the system does not report it. */
    public static double residentMebibytes(Process process) throws IOException {
        return mebibytes(process, "VmRSS:");
    }

    public static double peakMebibytes(Process process) throws IOException {
        return mebibytes(process, "VmHWM:");
    }

    private static double mebibytes(Process process, String key) throws IOException {
        Path status = Path.of("/proc", Long.toString(process.pid()), "status");
        if (!Files.exists(status)) {
            return 0;
        }
        return Files.readAllLines(status).stream()
                .filter(line -> line.startsWith(key))
                .mapToDouble(line -> Double.parseDouble(line.replaceAll("\\D", "")) / KIBIBYTES_IN_MEBIBYTE)
                .sum();
    }
}
