package org.fleetgrad.cli.options;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Checks a condition on options, one alone or several together. */
public final class OptionCheck {

    private OptionCheck() {}

    /**
     * Rejects the command line with {@code message} unless the condition holds.
     *
     * @param command the command that has the options; null rejects nothing
     */
    public static void require(@Nullable CommandSpec command, boolean holds, String message) {
        if (!holds && command != null) {
            throw new ParameterException(command.commandLine(), message);
        }
    }
}
