package org.fleetgrad.worker.action;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/** The peak resident memory of the process, if the system reports it. */
public final class PeakMemory {

    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String FIGURE = "VmHWM:";

    private PeakMemory() {}

    /** Returns it in MiB; empty if the system does not report it. */
    public static OptionalDouble mebibytes() {
        if (!Files.isReadable(STATUS)) {
            return OptionalDouble.empty();
        }
        try (Stream<String> lines = Files.lines(STATUS)) {
            // A line such as "VmHWM:    170512 kB".
            return lines.filter(line -> line.startsWith(FIGURE))
                    .mapToDouble(line -> Double.parseDouble(line.replaceAll("\\D", "")) / 1024)
                    .findFirst();
        } catch (IOException | NumberFormatException unreadable) {
            return OptionalDouble.empty();
        }
    }
}
