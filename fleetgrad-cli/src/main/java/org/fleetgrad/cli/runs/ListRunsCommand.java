package org.fleetgrad.cli.runs;

import java.util.concurrent.Callable;
import org.fleetgrad.runs.output.RunFailedException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code fleetgrad runs list}. */
@Command(
        name = "list",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Lists the runs, the newest first; so does fleetgrad runs without a command.",
        footer = {
            "",
            "Examples:",
            "  fleetgrad runs list --state running",
            "  fleetgrad runs list --tag first --sort best --json",
            "  fleetgrad runs list --rebuild --look-in /data/runs"
        })
final class ListRunsCommand implements Callable<Integer> {

    @Mixin
    private final RunsListing listing = new RunsListing();

    @Override
    public Integer call() throws RunFailedException {
        listing.list();
        return 0;
    }
}
