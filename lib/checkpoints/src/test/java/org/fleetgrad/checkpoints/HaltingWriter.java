package org.fleetgrad.checkpoints;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A process that writes one checkpoint, and halts in the middle of a file of the second. */
final class HaltingWriter {

    static final int EXIT_CODE = 137;

    private HaltingWriter() {}

    public static void main(String[] arguments) throws IOException {
        CheckpointFile parameters = Samples.files(2).get(0);
        CheckpointFile state = new CheckpointFile("state.safetensors", 200_000, out -> {
            out.write(new byte[100_000]);
            out.flush();
            // halt() runs no finally block, like a kill.
            Runtime.getRuntime().halt(EXIT_CODE);
        });
        CheckpointLocation location = CheckpointLocation.inFolder(Path.of(arguments[0]));
        try (Checkpoints checkpoints = Checkpoints.open(location)) {
            Samples.write(checkpoints, 1);
            checkpoints.write(Samples.version(2), Samples.NOW, Samples.notes(), List.of(parameters, state));
        }
    }
}
