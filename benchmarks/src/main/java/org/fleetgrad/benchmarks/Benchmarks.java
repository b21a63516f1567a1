package org.fleetgrad.benchmarks;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import org.fleetgrad.benchmarks.bench.BenchCommand;
import org.fleetgrad.benchmarks.configurations.ConfigurationsCommand;
import org.fleetgrad.benchmarks.modes.ModesCommand;
import org.fleetgrad.benchmarks.pictures.PicturesCommand;
import org.fleetgrad.benchmarks.serving.ServingCommand;
import org.fleetgrad.tools.command.Errors;
import picocli.CommandLine;

/** The program behind {@code fleetgrad bench}; its other commands write pages and pictures of the documentation. */
public final class Benchmarks {

    private static final int INTERNAL = 1;

    private Benchmarks() {}

    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        return new CommandLine(new BenchCommand())
                .addSubcommand(new ModesCommand())
                .addSubcommand(new ConfigurationsCommand())
                .addSubcommand(new PicturesCommand())
                .addSubcommand(new ServingCommand())
                .setParameterExceptionHandler(Errors::misused)
                .setExecutionExceptionHandler((failure, command, parsed) -> {
                    if (!(failure instanceof IOException || failure instanceof ExecutionException)) {
                        throw failure;
                    }
                    command.getErr().printf("%s: %s%n", command.getCommandName(), failure.getMessage());
                    return INTERNAL;
                });
    }
}
