package org.fleetgrad.cli.runs;

import java.time.Instant;
import java.util.concurrent.Callable;
import org.fleetgrad.runs.kept.KeptRun;
import org.fleetgrad.runs.output.RunFailedException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code fleetgrad runs show}. */
@Command(
        name = "show",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Shows everything that is known of a run.",
        footer = {"", "Examples:", "  fleetgrad runs show LAST", "  fleetgrad runs show first --json"})
final class ShowRunCommand implements Callable<Integer> {

    @Mixin
    private final RunChoice choice = new RunChoice();

    @Option(names = "--json", description = "Print the result as JSON: one object")
    private boolean json;

    @Override
    public Integer call() throws RunFailedException {
        KeptRun run = choice.run();
        Instant now = Instant.now();
        choice.place().print(json ? RunJson.show(run, now) : RunText.of(run, now));
        return 0;
    }
}
