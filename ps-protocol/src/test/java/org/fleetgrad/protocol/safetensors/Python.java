package org.fleetgrad.protocol.safetensors;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.fleetgrad.testing.Requirement;

/** Runs a Python that has torch and safetensors, or skips the test. */
final class Python {

    private static final String COMMAND = "python3";

    private Python() {}

    /** Runs a script and returns what it printed; a script that fails fails the test. */
    static String run(String script, String... arguments) {
        Requirement.PYTHON.check(
                start("import torch, safetensors").exitCode() == 0, COMMAND + " with torch and safetensors");
        Outcome outcome = start(script, arguments);
        assertThat(outcome.exitCode()).as(outcome.output()).isZero();
        return outcome.output();
    }

    private record Outcome(int exitCode, String output) {}

    private static Outcome start(String script, String... arguments) {
        List<String> command = new ArrayList<>(List.of(COMMAND, "-X", "utf8", "-W", "ignore", "-c", script));
        command.addAll(List.of(arguments));
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Outcome(process.waitFor(), output);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while Python ran", interrupted);
        } catch (IOException noSuchCommand) {
            return new Outcome(-1, new UncheckedIOException(noSuchCommand).toString());
        }
    }
}
