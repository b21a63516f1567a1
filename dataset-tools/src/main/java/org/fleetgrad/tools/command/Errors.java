package org.fleetgrad.tools.command;

import java.io.PrintWriter;
import java.util.List;
import org.fleetgrad.tools.Failure;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** The messages of a failed command: the command as it was typed, the error, and what to do. */
public final class Errors {

    private Errors() {}

    /**
     * Reports a wrong command line in two lines: the error, and how to get help. The complete usage would scroll the error
     * off the screen.
     */
    public static int misused(ParameterException wrong, String[] arguments) {
        CommandLine command = wrong.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        PrintWriter err = command.getErr();
        err.printf("%s: %s%s%n", name, wrong.getMessage(), suggestion(wrong));
        err.printf("Try '%s --help'.%n", name);
        err.flush();
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }

    private static String suggestion(ParameterException wrong) {
        List<String> similar =
                wrong instanceof UnmatchedArgumentException unmatched ? unmatched.getSuggestions() : List.of();
        return similar.isEmpty() ? "" : "; did you mean %s?".formatted(String.join(" or ", similar));
    }

    /** Reports a command of this module that failed, in one line; with {@code --verbose}, with the stack trace too. */
    public static int failed(Exception thrown, CommandLine command, ParseResult all) {
        Failure failure = Failure.of(thrown);
        command.getErr().printf("%s: %s%n", command.getCommandSpec().qualifiedName(), failure.line());
        boolean isVerbose = command.getCommandSpec().mixins().values().stream()
                .anyMatch(mixin -> mixin.userObject() instanceof Console console && console.isVerbose());
        if (isVerbose) {
            thrown.printStackTrace(command.getErr());
        }
        command.getErr().flush();
        return failure.exitCode();
    }
}
