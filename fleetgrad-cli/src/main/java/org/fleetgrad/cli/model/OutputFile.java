package org.fleetgrad.cli.model;

import java.nio.file.Files;
import java.nio.file.Path;
import org.fleetgrad.runs.output.RunFailedException;
import picocli.CommandLine.Option;

/** The options of a command that writes a file. */
final class OutputFile {

    private static final String CARD = ".md";

    @Option(names = "--out", paramLabel = "FILE", required = true, description = "Write to this file")
    private Path out = Path.of("");

    @Option(names = "--force", description = "Overwrite existing files")
    private boolean force;

    /** Returns the file; refuses one that must not be written. */
    Path require() throws RunFailedException {
        if (Files.isDirectory(out)) {
            throw RunFailedException.input("%s is a folder; --out is a file to write".formatted(out));
        }
        requireFree(out);
        return out;
    }

    /** Returns the file of the page that describes another one: {@code model.md} beside {@code model.onnx}. */
    Path requireCard(Path described) throws RunFailedException {
        String name = described.getFileName().toString();
        int dot = name.lastIndexOf('.');
        String stem = dot > 0 && !name.endsWith(CARD) ? name.substring(0, dot) : name;
        Path card = described.resolveSibling(stem + CARD);
        requireFree(card);
        return card;
    }

    private void requireFree(Path file) throws RunFailedException {
        if (Files.exists(file) && !force) {
            throw RunFailedException.input("%s exists already; pass --force to overwrite it".formatted(file));
        }
    }

    /** Returns a folder that is not there yet: one that is may hold what nobody wants to lose. */
    Path requireNewFolder() throws RunFailedException {
        if (Files.exists(out)) {
            throw RunFailedException.input("%s exists already; --out is a folder to make".formatted(out));
        }
        return out;
    }

    /** Returns whether existing files are overwritten. */
    boolean isForced() {
        return force;
    }
}
