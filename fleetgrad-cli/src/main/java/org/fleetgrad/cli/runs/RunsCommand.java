package org.fleetgrad.cli.runs;

import java.util.concurrent.Callable;
import org.fleetgrad.runs.output.RunFailedException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code fleetgrad runs}. */
@Command(
        name = "runs",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Lists, shows, compares, stops and removes runs.",
        subcommands = {
            ListRunsCommand.class,
            ShowRunCommand.class,
            CompareRunsCommand.class,
            RunLogsCommand.class,
            StopRunCommand.class,
            RemoveRunsCommand.class
        },
        footer = {
            "",
            "RUN is the name of a run, the name of its folder, its path, LAST (the newest) or BEST (the best held-out result).",
            "",
            "Examples:",
            "  fleetgrad runs",
            "  fleetgrad runs --network resnet --sort best",
            "  fleetgrad runs show LAST",
            "  fleetgrad runs compare LAST BEST",
            "  fleetgrad runs stop LAST"
        })
public final class RunsCommand implements Callable<Integer> {

    @Mixin
    private final RunsListing listing = new RunsListing();

    @Override
    public Integer call() throws RunFailedException {
        listing.list();
        return 0;
    }
}
