package org.fleetgrad.cli.model;

import java.nio.file.Files;
import java.nio.file.Path;
import org.fleetgrad.runs.output.RunFailedException;
import picocli.CommandLine.Option;

/** The options of a command that writes a file. */
final class OutputFile {

    @Option(names = "--out", paramLabel = "FILE", required = true, description = "Write to this file")
    private Path out = Path.of("");

    @Option(names = "--force", description = "Overwrite existing files")
    private boolean force;

    /** Returns the file; refuses one that must not be written. */
    Path require() throws RunFailedException {
        if (Files.isDirectory(out)) {
            throw RunFailedException.input("%s is a folder; --out is a file to write".formatted(out));
        }
        if (Files.exists(out) && !force) {
            throw RunFailedException.input("%s exists already; pass --force to overwrite it".formatted(out));
        }
        return out;
    }
}
