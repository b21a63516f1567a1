package org.fleetgrad.benchmarks.page;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that measures, and can write what it measured into a page of the documentation. */
public abstract class PageCommand implements Callable<Integer> {

    private final Path home;
    private final List<String> arguments;

    @Spec
    private @Nullable CommandSpec command;

    /**
     * @param home      folder of the checkout
     * @param arguments the command line, for the page
     */
    protected PageCommand(Path home, List<String> arguments) {
        this.home = home;
        this.arguments = List.copyOf(arguments);
    }

    /** Returns the folder of the checkout. */
    protected final Path home() {
        return home;
    }

    /** Returns where results are printed. */
    protected final PrintWriter out() {
        return Objects.requireNonNull(command).commandLine().getOut();
    }

    /** Describes the machine, the code and the command line, in some lines of Markdown. */
    protected final String head() throws InterruptedException {
        return Machine.describe(home, "./fleetgrad bench " + String.join(" ", arguments));
    }

    /** Refuses a wrong command line. */
    protected final void require(boolean holds, String message) {
        if (!holds) {
            throw new ParameterException(Objects.requireNonNull(command).commandLine(), message);
        }
    }
}
