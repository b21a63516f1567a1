package org.fleetgrad.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Predicate;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** The files that a run leaves. */
final class RunFiles {

    private RunFiles() {}

    /** Returns the bytes of all shards of a run: those that its workers load in an epoch, and the held-out ones. */
    static long shardBytes(Path run) throws IOException {
        return bytes(run, file -> file.toString().endsWith(".tar.gz"));
    }

    /** Returns the bytes of some of the files in a folder; 0 if it does not exist. */
    static long bytes(Path folder, Predicate<Path> isCounted) throws IOException {
        if (!Files.isDirectory(folder)) {
            return 0;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(isCounted)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        }
    }

    /** Returns the version at which a run ended, by its report; its model may be an earlier one. */
    static long lastVersion(JsonNode report) {
        JsonNode curve = report.path("curve");
        return curve.path(curve.size() - 1).path("version").asLong();
    }
}
