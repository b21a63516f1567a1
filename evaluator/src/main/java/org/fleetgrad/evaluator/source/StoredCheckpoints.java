package org.fleetgrad.evaluator.source;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.fleetgrad.checkpoints.Checkpoint;
import org.fleetgrad.checkpoints.CheckpointLocation;
import org.fleetgrad.checkpoints.CheckpointManifest;
import org.fleetgrad.checkpoints.Checkpoints;
import org.fleetgrad.checkpoints.CorruptCheckpointException;
import org.fleetgrad.checkpoints.ListedCheckpoint;

/**
 * The checkpoints of a location, oldest first. A damaged one, and one that the run deletes meanwhile, is skipped and reported.
 *
 * @param number the only checkpoint to take; empty for all
 * @param every  versions from one to the next; the newest checkpoint is always taken
 */
record StoredCheckpoints(CheckpointLocation location, OptionalLong number, long every, Consumer<String> teller)
        implements Versions {

    @Override
    public void each(Visitor visitor) throws IOException, InterruptedException {
        try (Checkpoints checkpoints = Checkpoints.open(location)) {
            List<CheckpointManifest> whole = whole(checkpoints);
            Spacing spacing = new Spacing(every);
            for (int i = 0; i < whole.size(); i++) {
                CheckpointManifest manifest = whole.get(i);
                boolean isNewest = i == whole.size() - 1;
                // At its end, a run writes its last version again.
                if (spacing.isLast(manifest.parameterVersion())
                        || (!isNewest && !spacing.isDue(manifest.parameterVersion()))) {
                    continue;
                }
                spacing.note(manifest.parameterVersion());
                if (!visit(checkpoints, manifest, visitor)) {
                    return;
                }
            }
        }
    }

    private List<CheckpointManifest> whole(Checkpoints checkpoints) throws IOException {
        List<ListedCheckpoint> listed = new ArrayList<>(checkpoints.list());
        Collections.reverse(listed);
        List<CheckpointManifest> whole = new ArrayList<>();
        for (ListedCheckpoint checkpoint : listed) {
            if (number.isPresent() && number.getAsLong() != checkpoint.number()) {
                continue;
            }
            if (checkpoint instanceof ListedCheckpoint.Whole present) {
                whole.add(present.manifest());
            } else if (checkpoint instanceof ListedCheckpoint.Corrupt corrupt) {
                teller.accept("checkpoint %d is left out: its %s %s"
                        .formatted(corrupt.number(), corrupt.file(), corrupt.reason()));
            }
        }
        if (whole.isEmpty()) {
            throw new NoSuchFileException(location.toString(), null, "there is no undamaged checkpoint");
        }
        return whole;
    }

    private boolean visit(Checkpoints checkpoints, CheckpointManifest manifest, Visitor visitor)
            throws IOException, InterruptedException {
        Checkpoint checkpoint;
        try {
            checkpoint = checkpoints.read(manifest.number());
        } catch (CorruptCheckpointException | NoSuchFileException gone) {
            teller.accept("%s is left out: %s".formatted(manifest.name(), gone.getMessage()));
            return true;
        }
        return visitor.visit(new NamedVersion(manifest.name(), manifest.parameterVersion(), checkpoint.parameters()));
    }
}
