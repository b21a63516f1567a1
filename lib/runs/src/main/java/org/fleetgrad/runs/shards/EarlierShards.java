package org.fleetgrad.runs.shards;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.fleetgrad.datasets.shard.ShardManifest;
import org.fleetgrad.runs.settings.StartingPoint;

/** The shards of the run whose state a run goes on from. */
final class EarlierShards {

    private EarlierShards() {}

    /** Returns their manifest, if the shards lie in the run's folder; beside checkpoints alone there is none. */
    static Optional<Path> manifest(StartingPoint start) {
        return start instanceof StartingPoint.State state
                ? Optional.of(Path.of(state.source())
                                .resolve(PreparedDataset.FOLDER)
                                .resolve(ShardManifest.FILE_NAME))
                        .filter(Files::isRegularFile)
                : Optional.empty();
    }
}
