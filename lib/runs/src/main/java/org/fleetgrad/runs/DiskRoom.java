package org.fleetgrad.runs;

import java.nio.file.Path;
import java.util.OptionalLong;
import org.fleetgrad.files.DiskSpace;
import org.fleetgrad.runs.output.RunFailedException;
import org.fleetgrad.runs.settings.RunSettings;

/** The room that a run needs on the disk of its folder. */
final class DiskRoom {

    private DiskRoom() {}

    /**
     * Compares what a run writes at least with what is free.
     *
     * @param parameterBytes of the parameter set; 0 if they are not known
     * @throws RunFailedException if not even the first checkpoint and the model fit
     */
    static void require(RunSettings settings, Path folder, long parameterBytes) throws RunFailedException {
        int buffers = settings.optimization().optimizer().settings().bufferCount();
        int sets = settings.server().isKeeping() ? 2 + buffers : 1;
        long needed = parameterBytes * sets;
        OptionalLong free = DiskSpace.free(folder);
        if (free.isPresent() && free.getAsLong() < needed) {
            throw RunFailedException.input(
                    "%s has %,d bytes free, and the run needs %,d there at least, for %smodel.safetensors: free space, or pass another --out"
                            .formatted(
                                    folder,
                                    free.getAsLong(),
                                    needed,
                                    settings.server().isKeeping() ? "one checkpoint and " : ""));
        }
    }
}
