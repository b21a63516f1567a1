package org.fleetgrad.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
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

    /** Runs a command and exits with its code. */
    public static void main(String[] arguments) {
        Path home = Path.of(System.getProperty("fleetgrad.home", "."))
                .toAbsolutePath()
                .normalize();
        System.exit(commandLine(home, arguments).execute(arguments));
    }

    static CommandLine commandLine(Path home, String... arguments) {
        return new CommandLine(new BenchCommand(home, List.of(arguments)))
                .addSubcommand(new ModesCommand(home, List.of(arguments)))
                .addSubcommand(new ConfigurationsCommand(home, List.of(arguments)))
                .addSubcommand(new PicturesCommand(home))
                .addSubcommand(new ServingCommand(home, List.of(arguments)))
                .setParameterExceptionHandler(Errors::misused)
                .setExecutionExceptionHandler((failure, command, parsed) -> {
                    if (!(failure instanceof IOException)) {
                        throw failure;
                    }
                    command.getErr().printf("%s: %s%n", command.getCommandName(), failure.getMessage());
                    return INTERNAL;
                });
    }
}
