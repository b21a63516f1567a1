package org.fleetgrad.runs.resume;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.fleetgrad.checkpoints.BestVersion;
import org.fleetgrad.checkpoints.CheckpointLocation;

/** Finds the best version that a run has kept. */
public final class BestFile {

    private BestFile() {}

    /** Opens the best version of a run's folder, or of a folder of checkpoints. Of several servers, the lead has it. */
    public static BestVersion open(Path run) {
        Path ofRun = run.resolve(ResumePath.CHECKPOINTS);
        Path location = Files.isDirectory(ofRun) ? ofRun : run;
        Path lead = location.resolve("0");
        return BestVersion.of(CheckpointLocation.inFolder(Files.isDirectory(lead) ? lead : location));
    }

    /**
     * Returns the safetensors file of the best version.
     *
     * @throws IllegalArgumentException if there is none; the message says what to do
     */
    public static Path of(Path run) {
        try (BestVersion best = open(run)) {
            return best.file()
                    .orElseThrow(() -> new IllegalArgumentException(
                            "%s has kept no best version: pass the folder of a run whose versions were evaluated, or a file without --best"
                                    .formatted(run)));
        } catch (IOException unreadable) {
            throw new IllegalArgumentException(
                    "the best version of %s cannot be read: %s".formatted(run, unreadable.getMessage()), unreadable);
        }
    }
}
