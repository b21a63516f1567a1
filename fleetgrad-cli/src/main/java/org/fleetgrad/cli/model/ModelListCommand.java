package org.fleetgrad.cli.model;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.fleetgrad.checkpoints.BestVersion;
import org.fleetgrad.checkpoints.CheckpointManifest;
import org.fleetgrad.checkpoints.ListedCheckpoint;
import org.fleetgrad.runs.output.RunFailedException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code fleetgrad model list}. */
@Command(
        name = "list",
        mixinStandardHelpOptions = true,
        description =
                "Lists the best evaluated version, if the server has kept one, and the checkpoints, newest first; damaged ones with"
                        + " the reason.",
        footer = {"", "Example:", "  fleetgrad model list --checkpoints runs/20260102-030405"})
final class ModelListCommand implements Callable<Integer> {

    @Mixin
    private final CheckpointSource source = new CheckpointSource();

    @Option(names = "--json", description = "Print the result as JSON: one object")
    private boolean json;

    @Override
    public Integer call() throws RunFailedException {
        CheckpointPlace place = source.place();
        place.read((checkpoints, location) -> {
            List<ListedCheckpoint> listed = checkpoints.list();
            Optional<CheckpointManifest> best;
            try (BestVersion kept = place.best(location)) {
                best = kept.newest().map(BestVersion.Best::manifest);
            }
            if (json) {
                place.print(CheckpointJson.list(location, listed, best));
            } else if (listed.isEmpty() && best.isEmpty()) {
                place.print("there is no checkpoint in " + location);
            } else {
                place.print(CheckpointTable.of(listed, best, Instant.now()));
            }
        });
        return 0;
    }
}
