package org.fleetgrad.cli;

import org.fleetgrad.cli.certificate.CertificateCommand;
import org.fleetgrad.cli.failure.OneLineErrors;
import org.fleetgrad.cli.model.ModelCommand;
import org.fleetgrad.cli.options.Version;
import org.fleetgrad.cli.server.StatusCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The root of the command line. */
@Command(
        name = "fleetgrad",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "Deep-learning training on the JVM: a parameter server, workers, and a model that answers"
                + " while it learns.",
        subcommands = {
            DemoCommand.class,
            TrainCommand.class,
            StatusCommand.class,
            ModelCommand.class,
            CertificateCommand.class,
            BenchCommand.class
        },
        footer = {"", "Begin with: ./fleetgrad demo"},
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:it worked",
            "1:an error inside fleetgrad",
            "2:the command line is wrong",
            "3:the input is wrong, such as a folder without a dataset, or a damaged checkpoint",
            "4:a program or a server failed or cannot be reached",
            "130:interrupted"
        })
public final class Fleetgrad {

    private Fleetgrad() {}

    /** Runs a command and exits with its code. */
    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        CommandLine fleetgrad = new CommandLine(new Fleetgrad())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler(new OneLineErrors());
        return BenchCommand.takesEveryWord(fleetgrad);
    }
}
