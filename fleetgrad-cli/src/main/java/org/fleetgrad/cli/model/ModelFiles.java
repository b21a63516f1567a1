package org.fleetgrad.cli.model;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.fleetgrad.files.AtomicFile;
import org.fleetgrad.files.DiskSpace;
import org.fleetgrad.runs.output.RunFailedException;

/** Writes the files of an export: each is complete or not there. */
final class ModelFiles {

    private ModelFiles() {}

    static void write(Path out, byte[] bytes) throws RunFailedException {
        try {
            AtomicFile.write(out, bytes);
        } catch (IOException failed) {
            throw RunFailedException.input(
                    "%s cannot be written: %s%s".formatted(out, failed, DiskSpace.noteOf(out, bytes.length, failed)));
        }
    }

    static void write(Path out, String text) throws RunFailedException {
        write(out, text.getBytes(StandardCharsets.UTF_8));
    }
}
