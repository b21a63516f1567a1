package org.fleetgrad.cli.process;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** How a program that computes is started so that it stands back for those that answer. */
final class Niceness {

    /**
     * The words before a command. On a machine whose processors are all busy with batches, a gradient or a question would
     * otherwise wait for the end of somebody's time slice. Nothing where the system has no {@code nice}.
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
