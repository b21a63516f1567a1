package org.fleetgrad.tools;

import org.fleetgrad.tools.command.Console;
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
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** The program {@code dataset-tools}. */
@Command(
        name = "dataset-tools",
        description = {
            "Prepares datasets for training: fetches, generates, cuts into shards, verifies, uploads, and puts them to a",
            "parameter server as its work."
        },
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
        footerHeading = "%nFrom nothing to work in a parameter server:%n",
        footer = {
            "  dataset-tools fetch mnist --out data/mnist",
            "  dataset-tools shard data/mnist --name mnist --shards 6 --out shards",
            "  dataset-tools verify shards",
            "  dataset-tools upload shards --endpoint http://localhost:9000 --bucket datasets --prefix mnist/",
            "  dataset-tools put-work s3://datasets/mnist --endpoint http://localhost:9000 --epochs 5"
        })
public final class DatasetTools implements Runnable {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** Runs the command line and exits with its code. */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    /** Makes the command line; its streams can be set before it is executed. */
    public static CommandLine commandLine() {
        return new CommandLine(new DatasetTools()).setExecutionExceptionHandler(DatasetTools::report);
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing");
    }

    private static int report(Exception thrown, CommandLine commandLine, ParseResult all) {
        Failure failure = Failure.of(thrown);
        commandLine.getErr().printf("%s: %s%n", commandLine.getCommandSpec().qualifiedName(), failure.line());
        boolean isVerbose = commandLine.getCommandSpec().mixins().values().stream()
                .anyMatch(mixin -> mixin.userObject() instanceof Console console && console.isVerbose());
        if (isVerbose) {
            thrown.printStackTrace(commandLine.getErr());
        }
        commandLine.getErr().flush();
        return failure.exitCode();
    }
}
