package org.fleetgrad.cli.runs;

import java.time.Duration;
import java.util.concurrent.Callable;
import org.fleetgrad.runs.kept.KeptRun;
import org.fleetgrad.runs.kept.RunState;
import org.fleetgrad.runs.kept.RunStop;
import org.fleetgrad.runs.output.RunFailedException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code fleetgrad runs stop}. */
@Command(
        name = "stop",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Stops a run in order, from any terminal of its machine, as Ctrl-C does in its own: with a last checkpoint.",
        footer = {"", "Examples:", "  fleetgrad runs stop LAST", "  fleetgrad runs stop first --timeout 5m"})
final class StopRunCommand implements Callable<Integer> {

    @Mixin
    private final RunChoice choice = new RunChoice();

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            defaultValue = "2m",
            description = "Longest wait for the end of the run (default: ${DEFAULT-VALUE})")
    private Duration timeout = Duration.ofMinutes(2);

    @Override
    public Integer call() throws RunFailedException, InterruptedException {
        KeptRun run = choice.run();
        long begin = System.nanoTime();
        KeptRun ended = new RunStop(choice.place().runs(), timeout, choice.place()::tell).stop(run);
        long seconds = Duration.ofNanos(System.nanoTime() - begin).toSeconds();
        choice.place().print("%s is %s after %d s".formatted(ended.title(), ended.state(), seconds));
        if (ended.state() != RunState.ENDED) {
            choice.place().tell(RunText.resume(ended));
        }
        return 0;
    }
}
