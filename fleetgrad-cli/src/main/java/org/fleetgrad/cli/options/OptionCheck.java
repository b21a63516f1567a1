package org.fleetgrad.cli.options;

import java.util.function.Supplier;
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

    /**
     * Returns what the values of options make, or rejects the command line if they do not fit together.
     *
     * @param option  the option to name
     * @param command the command that has it; with null the exception goes on as it is
     */
    public static <T> T accept(@Nullable CommandSpec command, String option, Supplier<T> values) {
        try {
            return values.get();
        } catch (IllegalArgumentException wrong) {
            if (command == null) {
                throw wrong;
            }
            throw new ParameterException(command.commandLine(), option + ": " + wrong.getMessage(), wrong);
        }
    }
}
