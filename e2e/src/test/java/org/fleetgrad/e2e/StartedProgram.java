package org.fleetgrad.e2e;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.fleetgrad.runs.output.RunOutput;
import org.fleetgrad.runs.start.ProgramActivity;
import org.fleetgrad.runs.start.StartWait;
import org.fleetgrad.runs.start.StartWatch;
import org.fleetgrad.runs.start.Starting;

/**
 * A program that a test has started, and waits for as {@code fleetgrad} does: as long as it gets on, however busy the
 * machine is.
 *
 * @param name    in messages
 * @param process that was started; what it starts in turn counts as well
 * @param log     its output
 */
public record StartedProgram(String name, ProcessHandle process, Path log) implements Starting {

    /** Waits until the condition holds; an {@link IOException} of it means not yet. */
    public void await(String goal, Callable<Boolean> condition) {
        await(StartWatch.USUAL_TIMEOUT, goal, condition);
    }

    /**
     * Waits until the condition holds; an {@link IOException} of it means not yet.
     *
     * @param timeout with a program that does not get on
     */
    void await(Duration timeout, String goal, Callable<Boolean> condition) {
        try {
            StartWait wait = new StartWatch(timeout, RunOutput.SILENT).begin(this, goal);
            while (!holds(condition)) {
                if (!process.isAlive() && !holds(condition)) {
                    throw new AssertionError("%s ended before it could %s; its log: %s".formatted(name, goal, text()));
                }
                wait.pause();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while %s was to %s".formatted(name, goal), interrupted);
        } catch (IOException stuck) {
            throw new AssertionError(stuck.getMessage(), stuck);
        }
    }

    private static boolean holds(Callable<Boolean> condition) throws InterruptedException {
        try {
            return condition.call();
        } catch (IOException notYet) {
            return false;
        } catch (InterruptedException | RuntimeException passedOn) {
            throw passedOn;
        } catch (Exception unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    @Override
    public ProgramActivity activity() throws IOException {
        return ProgramActivity.of(Stream.concat(Stream.of(process), process.descendants()), log);
    }

    @Override
    public String logPlace() {
        return log.toString();
    }

    @Override
    public String lastLine() throws IOException {
        List<String> lines = text().lines().toList();
        return lines.isEmpty() ? "" : lines.get(lines.size() - 1);
    }

    private String text() throws IOException {
        return Files.exists(log) ? new String(Files.readAllBytes(log), StandardCharsets.UTF_8) : "";
    }
}
