package org.fleetgrad.cli.model;

import java.time.Instant;
import java.util.concurrent.Callable;
import org.fleetgrad.checkpoints.Checkpoint;
import org.fleetgrad.checkpoints.CheckpointLocation;
import org.fleetgrad.runs.output.RunFailedException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code fleetgrad model show}. */
@Command(
        name = "show",
        mixinStandardHelpOptions = true,
        description = "Reads a checkpoint, or the best version, verifies every byte, and shows its contents.",
        footer = {
            "",
            "Examples:",
            "  fleetgrad model show 42 --checkpoints runs/20260102-030405",
            "  fleetgrad model show --best --checkpoints runs/20260102-030405"
        })
final class ShowCommand implements Callable<Integer> {

    @Mixin
    private final CheckpointSource source = new CheckpointSource();

    @Mixin
    private final CheckpointChoice choice = new CheckpointChoice();

    @Option(names = "--json", description = "Print the result as JSON: one object")
    private boolean json;

    @Override
    public Integer call() throws RunFailedException {
        CheckpointPlace place = source.place();
        place.read((checkpoints, location) -> {
            Checkpoint checkpoint = place.choose(checkpoints, location, choice);
            place.print(
                    json
                            ? CheckpointJson.show(location, checkpoint)
                            : CheckpointText.of(title(location, checkpoint), checkpoint, Instant.now()));
        });
        return 0;
    }

    private String title(CheckpointLocation location, Checkpoint checkpoint) {
        return choice.isBest()
                ? "the best version of %s".formatted(location)
                : "%s of %s".formatted(checkpoint.manifest().name(), location);
    }
}
