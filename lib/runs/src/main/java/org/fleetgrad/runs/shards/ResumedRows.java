package org.fleetgrad.runs.shards;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.fleetgrad.datasets.Dataset;
import org.fleetgrad.datasets.RowSchema;
import org.fleetgrad.datasets.TableSchema;
import org.fleetgrad.datasets.shard.ShardManifest;
import org.fleetgrad.runs.output.RunFailedException;
import org.fleetgrad.runs.settings.StartingPoint;

/** A run that goes on from another's state must read rows, of a table or series, as that run did: its parameters were trained on those numbers. */
final class ResumedRows {

    private ResumedRows() {}

    /**
     * Compares the schemas, if the earlier run's shards lie in its folder; of checkpoints alone it is not known here.
     *
     * @throws RunFailedException if they differ
     */
    static void require(StartingPoint start, Dataset dataset) throws RunFailedException {
        Optional<Path> manifest = EarlierShards.manifest(start);
        if (manifest.isEmpty()
                || !(start instanceof StartingPoint.State state)
                || !(dataset.schema() instanceof RowSchema rows)) {
            return;
        }
        try {
            if (ShardManifest.read(manifest.get()).schema() instanceof RowSchema earlier && !earlier.equals(rows)) {
                throw RunFailedException.input(
                        "--resume %s: the %s is not that of the run: %s, means, categories or the target's units differ; begin with its model (--from %s), which reads them anew"
                                .formatted(
                                        state.source(),
                                        rows instanceof TableSchema
                                                ? "table " + dataset.name()
                                                : "array " + dataset.name(),
                                        rows instanceof TableSchema ? "columns" : "shapes",
                                        state.source()));
            }
        } catch (IOException unreadable) {
            throw RunFailedException.input("--resume %s: %s cannot be read: %s"
                    .formatted(state.source(), manifest.get(), unreadable.getMessage()));
        }
    }
}
