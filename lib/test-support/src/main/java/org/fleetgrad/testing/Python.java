package org.fleetgrad.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Runs a Python that has torch, safetensors, numpy and kubernetes-validate, or skips the test. */
public final class Python {

    private static final String COMMAND = "python3";

    private Python() {}

    /** Skips the test if there is no such Python. */
    public static void require() {
        Requirement.PYTHON.check(
                start("import torch, safetensors, numpy, kubernetes_validate").exitCode() == 0,
                COMMAND + " with torch, safetensors, numpy and kubernetes-validate");
    }

    /** Runs a script and returns what it printed; a script that fails fails the test. */
    public static String run(String script, String... arguments) {
        require();
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
