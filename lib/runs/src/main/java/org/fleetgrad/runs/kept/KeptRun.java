package org.fleetgrad.runs.kept;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.fleetgrad.files.text.Printable;

/**
 * A run, as its folder shows it.
 *
 * @param folder  absolute
 * @param state   at the time of the look
 * @param problem why its facts cannot be read; empty if they can
 */
public record KeptRun(Path folder, RunFacts facts, RunState state, String problem) {

    /** Returns what people call it: its name, or that of its folder. */
    public String title() {
        return facts.label().name().orElseGet(this::folderName);
    }

    /** Returns the name of its folder, printable. */
    public String folderName() {
        return Printable.text(String.valueOf(folder.getFileName()));
    }

    /** Returns the time from its begin to its end, or until now if it is running; empty if nobody knows. */
    public Optional<Duration> duration(Instant now) {
        return facts.end()
                .map(RunEnd::at)
                .or(() -> state == RunState.RUNNING ? Optional.of(now) : Optional.empty())
                .map(end -> Duration.between(facts.began(), end))
                .filter(time -> !time.isNegative());
    }
}
