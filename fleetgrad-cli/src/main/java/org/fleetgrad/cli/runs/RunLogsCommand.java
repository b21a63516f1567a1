package org.fleetgrad.cli.runs;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.fleetgrad.runs.kept.KeptRun;
import org.fleetgrad.runs.kept.KeptRuns;
import org.fleetgrad.runs.kept.RunLogs;
import org.fleetgrad.runs.kept.RunState;
import org.fleetgrad.runs.output.RunFailedException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code fleetgrad runs logs}. */
@Command(
        name = "logs",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Prints the logs of the programs that a run has started.",
        footer = {
            "",
            "Examples:",
            "  fleetgrad runs logs LAST",
            "  fleetgrad runs logs first --program ps-service --follow"
        })
final class RunLogsCommand implements Callable<Integer> {

    private static final long LOOK_MILLIS = 200;

    @Mixin
    private final RunChoice choice = new RunChoice();

    @Option(
            names = "--program",
            paramLabel = "NAME",
            description = "Program whose log is printed, such as ps-service or worker-0 (default: all of them)")
    private @Nullable String program;

    @Option(
            names = "--lines",
            paramLabel = "N",
            defaultValue = "20",
            description = "Lines of each log, the last ones (default: ${DEFAULT-VALUE})")
    private int count;

    @Option(names = "--follow", description = "Print what is added, too, until the run has ended")
    private boolean isFollowing;

    @Override
    public Integer call() throws RunFailedException, InterruptedException {
        KeptRun run = choice.run();
        RunLogs logs = new RunLogs(run);
        try {
            List<String> programs = programs(run, logs);
            for (String each : programs) {
                print(each, logs.last(each, Math.max(0, count)), programs.size() > 1 || isFollowing);
            }
            if (isFollowing) {
                follow(run, logs);
            }
        } catch (IOException unreadable) {
            throw RunFailedException.input("the logs of %s cannot be read: %s".formatted(run.title(), unreadable));
        }
        return 0;
    }

    private List<String> programs(KeptRun run, RunLogs logs) throws IOException, RunFailedException {
        List<String> all = logs.programs();
        if (program != null && !all.contains(program)) {
            throw RunFailedException.input("%s has no log of '%s'; it has those of: %s"
                    .formatted(run.title(), program, all.isEmpty() ? "no program" : String.join(", ", all)));
        }
        if (all.isEmpty() && !isFollowing) {
            throw RunFailedException.input("%s has no logs in %s".formatted(run.title(), run.folder()));
        }
        return program == null ? all : List.of(program);
    }

    private void follow(KeptRun run, RunLogs logs) throws IOException, InterruptedException {
        KeptRuns runs = choice.place().runs();
        boolean isRunning = true;
        while (isRunning) {
            // The look comes first: what a run wrote before its end is printed, too.
            isRunning =
                    Optional.of(RunState.RUNNING).equals(runs.look(run.folder()).map(KeptRun::state));
            for (String each : program == null ? logs.programs() : List.of(program)) {
                print(each, logs.next(each), true);
            }
            if (isRunning) {
                Thread.sleep(LOOK_MILLIS);
            }
        }
    }

    private void print(String name, List<String> lines, boolean isNamed) {
        lines.forEach(line -> choice.place().print(isNamed ? name + " | " + line : line));
    }
}
