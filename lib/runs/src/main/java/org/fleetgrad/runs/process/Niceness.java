package org.fleetgrad.runs.process;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Starts a compute program with a lower priority than the programs that serve requests. */
final class Niceness {

    /**
     * The prefix of a command. If all processors compute batches, a gradient or a prediction would otherwise wait for the end
     * of a time slice. Empty if the system has no {@code nice}.
     */
    static final List<String> STANDING_BACK = isKnown() ? List.of("nice", "-n", "10") : List.of();

    private Niceness() {}

    private static boolean isKnown() {
        String path = System.getenv().getOrDefault("PATH", "");
        return Arrays.stream(path.split(File.pathSeparator, -1))
                .filter(folder -> !folder.isBlank())
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "nice")));
    }
}
