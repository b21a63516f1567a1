package org.fleetgrad.cli.options;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** What options must hold, alone or together. */
final class OptionCheck {

    private OptionCheck() {}

    /**
     * Refuses a command line as wrong usage.
     *
     * @param command whose options they are; nothing is refused where no command line was parsed
     */
    static void require(@Nullable CommandSpec command, boolean holds, String message) {
        if (!holds && command != null) {
            throw new ParameterException(command.commandLine(), message);
        }
    }
}
