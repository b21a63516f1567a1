package org.fleetgrad.cli.model;

import java.nio.file.Files;
import java.nio.file.Path;
import org.fleetgrad.cli.failure.CommandFailedException;
import picocli.CommandLine.Option;

/** The options of a command that writes a file. */
final class OutputFile {

    @Option(names = "--out", paramLabel = "FILE", required = true, description = "Write to this file")
    private Path out = Path.of("");

    @Option(names = "--force", description = "Overwrite existing files")
    private boolean force;

    /** Returns the file; refuses one that must not be written. */
    Path require() throws CommandFailedException {
        if (Files.isDirectory(out)) {
            throw CommandFailedException.input("%s is a folder; --out is a file to write".formatted(out));
        }
        if (Files.exists(out) && !force) {
            throw CommandFailedException.input("%s exists already; pass --force to overwrite it".formatted(out));
        }
        return out;
    }
}
