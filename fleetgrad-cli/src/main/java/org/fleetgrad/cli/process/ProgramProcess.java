package org.fleetgrad.cli.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One started program, with its log. */
public final class ProgramProcess {

    private static final int TAIL_LINES = 5;

    private final String name;
    private final Process process;
    private final Path log;
    private final boolean isReplaceable;

    ProgramProcess(String name, Process process, Path log, boolean isReplaceable) {
        this.name = name;
        this.process = process;
        this.log = log;
        this.isReplaceable = isReplaceable;
    }

    /** Returns what the program is called in messages. */
    public String name() {
        return name;
    }

    /** Tells whether the program runs. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** Tells whether the program has ended, or ends within {@code patience}. */
    public boolean hasEnded(Duration patience) throws InterruptedException {
        return process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Tells whether another takes its place when it ends. */
    boolean isReplaceable() {
        return isReplaceable;
    }

    /** Returns the code that the program ended with. */
    public int exitCode() {
        return process.exitValue();
    }

    /** Says how the program ended, with the end of its log. */
    public String describeEnd() {
        return "%s ended with code %d; its log %s ends:%n  %s"
                .formatted(name, process.exitValue(), log, String.join(System.lineSeparator() + "  ", tail()));
    }

    private List<String> tail() {
        try {
            List<String> lines = Files.readAllLines(log);
            return lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size());
        } catch (IOException unreadable) {
            return List.of("(unreadable: " + unreadable + ")");
        }
    }

    /** Asks the program to end. */
    void terminate() {
        process.destroy();
    }

    /** Waits for the end until {@code patience} is over, then kills it. */
    void awaitEnd(Duration patience) {
        try {
            if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException interrupted) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
