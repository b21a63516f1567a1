package org.fleetgrad.e2e.python;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.fleetgrad.testing.Python;
import org.fleetgrad.testing.RepositoryRoot;

/** A program in Python that uses the package {@code fleetgrad} of this checkout, and that a test may kill. */
public final class PythonProgram implements AutoCloseable {

    private final Process process;
    private final Path output;

    private PythonProgram(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    /**
     * Starts a program, or skips the test if there is no Python that has what it needs.
     *
     * @param script its path in the repository
     * @param output gets what it prints
     */
    public static PythonProgram start(String script, Path output, String... arguments) throws IOException {
        Python.require();
        Path root = RepositoryRoot.path();
        List<String> command =
                new ArrayList<>(List.of("python3", "-B", root.resolve(script).toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().put("PYTHONPATH", root.resolve("python").toString());
        return new PythonProgram(builder.start(), output);
    }

    /** Waits for the end, and returns what it printed; a program that fails, or does not end, fails the test. */
    public String await(Duration timeout) throws IOException, InterruptedException {
        if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new AssertionError("still running after %s: %s".formatted(timeout, output()));
        }
        if (process.exitValue() != 0) {
            throw new AssertionError("ended with %d: %s".formatted(process.exitValue(), output()));
        }
        return output();
    }

    /** Fails the test if the program has ended. */
    public void requireAlive() throws IOException {
        if (!process.isAlive()) {
            throw new AssertionError("ended with %d: %s".formatted(process.exitValue(), output()));
        }
    }

    /** Kills it as {@code kill -9} does, and waits for its end. */
    public void kill() throws InterruptedException {
        process.destroyForcibly();
        int unused = process.waitFor();
    }

    private String output() throws IOException {
        return Files.readString(output);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
