package org.fleetgrad.cli.runs;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Objects;
import org.fleetgrad.runs.kept.KeptRuns;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The option that says where the runs lie, and the command's output. */
final class RunsPlace {

    @Spec(Target.MIXEE)
    private @Nullable CommandSpec command;

    @Option(
            names = "--in",
            paramLabel = "DIR",
            description = "Folder of the runs (default: $FLEETGRAD_RUNS, or runs in the working directory)")
    private @Nullable Path folder;

    KeptRuns runs() {
        return KeptRuns.in(folder == null ? KeptRuns.place(System.getenv()) : folder);
    }

    /** Prints a result. */
    void print(String text) {
        print(Objects.requireNonNull(command).commandLine().getOut(), text);
    }

    /** Prints what a person wants to know besides the result. */
    void tell(String text) {
        print(Objects.requireNonNull(command).commandLine().getErr(), text);
    }

    private static void print(PrintWriter stream, String text) {
        stream.println(text);
        stream.flush();
    }
}
