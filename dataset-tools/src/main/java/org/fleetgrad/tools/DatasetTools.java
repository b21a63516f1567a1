package org.fleetgrad.tools;

import org.fleetgrad.tools.command.Console;
import org.fleetgrad.tools.command.Errors;
import org.fleetgrad.tools.command.FetchCommand;
import org.fleetgrad.tools.command.ListCommand;
import org.fleetgrad.tools.command.PresignCommand;
import org.fleetgrad.tools.command.PutWorkCommand;
import org.fleetgrad.tools.command.ShardCommand;
import org.fleetgrad.tools.command.SynthCommand;
import org.fleetgrad.tools.command.UploadCommand;
import org.fleetgrad.tools.command.VerifyCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The program {@code dataset-tools}. The program {@code fleetgrad} has the same commands below its command {@code dataset};
 * help and errors name the command that the user typed.
 */
@Command(
        name = DatasetTools.NAME,
        description =
                "Prepares datasets: fetches, generates, shards, verifies and uploads them, and gives them to a parameter server as work.",
        mixinStandardHelpOptions = true,
        versionProvider = Console.Version.class,
        subcommands = {
            FetchCommand.class,
            SynthCommand.class,
            ShardCommand.class,
            VerifyCommand.class,
            UploadCommand.class,
            PresignCommand.class,
            ListCommand.class,
            PutWorkCommand.class,
            HelpCommand.class
        },
        exitCodeListHeading = Console.EXIT_CODES_HEADING,
        exitCodeList = {Console.EXIT_0, Console.EXIT_1, Console.EXIT_2, Console.EXIT_3, Console.EXIT_4, Console.EXIT_130
        },
        footerHeading = "%nFrom a download to the work of a parameter server:%n",
        footer = {
            "  ${COMMAND-FULL-NAME} fetch mnist --out data/mnist",
            "  ${COMMAND-FULL-NAME} shard data/mnist --shards 6 --out shards",
            "  ${COMMAND-FULL-NAME} verify shards",
            "  ${COMMAND-FULL-NAME} upload shards --endpoint http://localhost:9000 --bucket datasets --prefix mnist/",
            "  ${COMMAND-FULL-NAME} put-work s3://datasets/mnist --endpoint http://localhost:9000 --epochs 5"
        })
public final class DatasetTools implements Runnable {

    /** The program's name. */
    public static final String NAME = "dataset-tools";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** Runs the command line and exits with its code. */
    public static void main(String[] args) {
        System.exit(named(NAME).execute(args));
    }

    /**
     * Makes the command line; its streams can be set before it is executed.
     *
     * @param name what the user types: {@link #NAME}, or {@code dataset} after {@code fleetgrad}
     */
    public static CommandLine named(String name) {
        CommandLine commands = new CommandLine(new DatasetTools())
                .setExecutionExceptionHandler(Errors::failed)
                .setParameterExceptionHandler(Errors::misused);
        commands.getCommandSpec().name(name);
        return commands;
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "a command is missing: " + String.join(", ", spec.subcommands().keySet()));
    }
}
