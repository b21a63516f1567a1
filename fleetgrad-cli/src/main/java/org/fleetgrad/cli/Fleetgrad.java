package org.fleetgrad.cli;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.fleetgrad.cli.certificate.CertificateCommand;
import org.fleetgrad.cli.failure.OneLineErrors;
import org.fleetgrad.cli.help.GroupedHelp;
import org.fleetgrad.cli.load.LoadCommand;
import org.fleetgrad.cli.model.ModelCommand;
import org.fleetgrad.cli.options.BuildVersion;
import org.fleetgrad.cli.program.OtherProgram;
import org.fleetgrad.cli.runs.RunsCommand;
import org.fleetgrad.cli.search.SearchCommand;
import org.fleetgrad.cli.server.StatusCommand;
import org.fleetgrad.cli.server.TokenCommand;
import org.fleetgrad.cli.serving.PolicyCommand;
import org.fleetgrad.cli.serving.PredictCommand;
import org.fleetgrad.files.NameLookups;
import org.fleetgrad.files.owner.Owner;
import org.fleetgrad.tools.DatasetTools;
import org.fleetgrad.tools.command.DurationConverter;
import org.fleetgrad.tools.command.Errors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** The root of the command line. */
@Command(
        name = "fleetgrad",
        mixinStandardHelpOptions = true,
        versionProvider = BuildVersion.class,
        description =
                "Trains deep networks on the JVM: a parameter server, workers, and a model that answers predictions while it"
                        + " trains.",
        commandListHeading = "%nCommands:%n",
        footer = {"", "Begin with: ./fleetgrad demo", "Help of a command: ./fleetgrad COMMAND --help"},
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:success",
            "1:an error inside fleetgrad",
            "2:the command line is wrong",
            "3:the input is wrong, such as a damaged checkpoint",
            "4:a program or a server failed or cannot be reached",
            "130:interrupted"
        })
public final class Fleetgrad implements Callable<Integer> {

    private static final int USAGE = 2;

    @Spec
    private CommandSpec command = CommandSpec.create();

    private Fleetgrad() {}

    /** Runs a command and exits with its code. */
    public static void main(String[] arguments) {
        NameLookups.shortenCaching();
        // A search starts train: it ends with the search, however that ends.
        Owner.follow(System.getenv());
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        CommandLine fleetgrad = new CommandLine(new Fleetgrad())
                .addSubcommand(new DemoCommand())
                .addSubcommand(new TrainCommand())
                .addSubcommand(new PipelineCommand())
                .addSubcommand(new SearchCommand())
                .addSubcommand(new RunsCommand())
                .addSubcommand(new NetworksCommand())
                .addSubcommand(new StatusCommand())
                .addSubcommand(new TokenCommand())
                .addSubcommand(new EnsembleCommand())
                .addSubcommand(new ModelCommand())
                .addSubcommand("evaluate", evaluator())
                .addSubcommand("dataset", DatasetTools.named("dataset"))
                .addSubcommand(new PredictCommand())
                .addSubcommand(new PolicyCommand())
                .addSubcommand(new LoadCommand())
                .addSubcommand(new CertificateCommand())
                .addSubcommand("bench", benchmarks());
        // Otherwise picocli warns of each option that overrides another one.
        CommandLine.tracer().setLevel(CommandLine.TraceLevel.OFF);
        // Picocli's own converter reads PT30S only.
        fleetgrad
                .registerConverter(Duration.class, new DurationConverter())
                .setCaseInsensitiveEnumValuesAllowed(true)
                // So that an option on the command line overrides a recipe's, which is in an @file.
                .setOverwrittenOptionsAllowed(true)
                .setHelpFactory(GroupedHelp::new)
                .setExecutionExceptionHandler(Fleetgrad::failed)
                .setParameterExceptionHandler(Errors::misused);
        return fleetgrad;
    }

    private static CommandLine evaluator() {
        return OtherProgram.evaluator()
                .command(
                        "Measures accuracy and loss of checkpoints, or of a running server's versions, on held-out samples.");
    }

    private static CommandLine benchmarks() {
        return new OtherProgram("benchmarks", List.of(), Map.of())
                .command(
                        "Measures Fleetgrad on this machine, and compares it with other systems and the machine's limits.");
    }

    /** Picocli calls the root's handler only; this delegates to dataset-tools' own handler for its commands. */
    private static int failed(Exception failure, CommandLine command, ParseResult parsed) {
        for (CommandLine above = command; above != null; above = above.getParent()) {
            if (above.getCommand() instanceof DatasetTools) {
                return Errors.failed(failure, command, parsed);
            }
        }
        return OneLineErrors.failed(failure, command);
    }

    /** Without a command: lists the commands. */
    @Override
    public Integer call() {
        command.commandLine().usage(command.commandLine().getErr());
        return USAGE;
    }
}
