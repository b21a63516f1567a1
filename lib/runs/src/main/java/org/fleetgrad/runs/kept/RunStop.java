package org.fleetgrad.runs.kept;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.fleetgrad.runs.output.RunFailedException;

/** Stops a run as Ctrl-C in its terminal does: its parameter server takes a last checkpoint, and all of its programs end. */
public final class RunStop {

    private static final Duration LOOK = Duration.ofMillis(100);
    private static final Duration BETWEEN_LINES = Duration.ofSeconds(2);

    private final KeptRuns runs;
    private final Duration limit;
    private final Consumer<String> teller;

    /**
     * @param limit  after which a run that has not ended is reported
     * @param teller receives lines about what is waited for
     */
    public RunStop(KeptRuns runs, Duration limit, Consumer<String> teller) {
        this.runs = runs;
        this.limit = limit;
        this.teller = teller;
    }

    /**
     * Stops a run, and waits for its end. A second call while it ends waits, too.
     *
     * @return the run as it is then
     * @throws RunFailedException if it is not running, if this user may not end it, or if it has not ended in time
     */
    public KeptRun stop(KeptRun run) throws RunFailedException, InterruptedException {
        Optional<ProcessHandle> process = run.facts().process().running();
        if (run.state() != RunState.RUNNING || process.isEmpty()) {
            throw RunFailedException.input("%s does not run: it is %s%s"
                    .formatted(
                            run.title(),
                            run.state(),
                            run.state() == RunState.ELSEWHERE
                                    ? ", on %s; stop it there"
                                            .formatted(run.facts().process().host())
                                    : ""));
        }
        ProcessHandle driver = process.get();
        teller.accept("stopping %s: process %d takes its last checkpoint and ends its programs"
                .formatted(run.title(), driver.pid()));
        // Java compares the start of the process once more before it sends the signal.
        if (!driver.destroy() && run.facts().process().running().isPresent()) {
            throw RunFailedException.remote(
                    "process %d of %s takes no signal from this user: stop the run as the user who began it"
                            .formatted(driver.pid(), run.title()));
        }
        await(run, driver);
        return runs.look(run.folder()).orElse(run);
    }

    private void await(KeptRun run, ProcessHandle driver) throws RunFailedException, InterruptedException {
        long begin = System.nanoTime();
        long told = begin;
        while (run.facts().process().running().isPresent()) {
            long now = System.nanoTime();
            if (now - begin > limit.toNanos()) {
                throw RunFailedException.remote(
                        "%s has not ended after %d s: process %d is there, with programs of it: %d; the same command waits on, and kill -9 %d ends it at once, so that it goes on from its newest checkpoint"
                                .formatted(
                                        run.title(),
                                        limit.toSeconds(),
                                        driver.pid(),
                                        driver.descendants().count(),
                                        driver.pid()));
            }
            if (now - told > BETWEEN_LINES.toNanos()) {
                told = now;
                long programs = driver.descendants().count();
                teller.accept(
                        programs == 0
                                ? "waiting for process %d to write how it ended".formatted(driver.pid())
                                : "waiting for the programs of process %d: %d".formatted(driver.pid(), programs));
            }
            Thread.sleep(LOOK.toMillis());
        }
    }
}
