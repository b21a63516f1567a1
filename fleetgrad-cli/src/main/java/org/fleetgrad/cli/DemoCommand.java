package org.fleetgrad.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.fleetgrad.cli.demo.ProjectPages;
import org.fleetgrad.cli.demo.TextDemo;
import org.fleetgrad.cli.display.Terminal;
import org.fleetgrad.cli.options.TrainingOptions;
import org.fleetgrad.runs.Demonstration;
import org.fleetgrad.runs.LocalRun;
import org.fleetgrad.runs.settings.RunSettings;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code fleetgrad demo}. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Trains a small network on this machine and requests a prediction.",
            "The parameter server, the workers and the inference API are processes of their own. It needs neither Docker"
                    + " nor the internet."
        },
        footer = {
            "",
            "Examples:",
            "  fleetgrad demo                                  generated digits, to 97%%",
            "  fleetgrad demo --data DIR --json                MNIST's IDX files, to 98%%",
            "  fleetgrad demo --workers 4 --mode sync --keep   continues until Ctrl-C",
            "  fleetgrad demo --text                           a language model of this project's own pages",
            "  fleetgrad demo --text --data DIR --keep         of your own .txt files, with a page to try it"
        })
final class DemoCommand implements Callable<Integer> {

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Option(
            names = "--text",
            description =
                    "Train a small language model for a minute or two, and show every few seconds what it writes. It"
                            + " learns the pages of this project, or the .txt files in --data; any option below changes the rest")
    private boolean isText;

    @Option(
            names = "--prompt",
            paramLabel = "TEXT",
            description = "Beginning that a language model continues (default: that of the held-out text)")
    private @Nullable String prompt;

    @Mixin
    private final TrainingOptions options = new TrainingOptions();

    @Override
    public Integer call() throws Exception {
        if (!isText) {
            return run();
        }
        List<String> given = given();
        if (command.commandLine().getParseResult().hasMatchedOption("--data")) {
            parse(TextDemo.onOwnText(given));
            return run();
        }
        Path folder = Files.createTempDirectory("fleetgrad-demo-");
        ProjectPages.write(folder);
        deleteOnExit(folder);
        parse(TextDemo.onPages(folder, given));
        return run();
    }

    private int run() throws Exception {
        Terminal terminal = Terminal.ofProcess(options.isPlain());
        Demonstration demonstration = new Demonstration(Optional.ofNullable(prompt));
        RunSettings settings = options.settings();
        new LocalRun(settings, terminal, Optional.of(demonstration)).run(result -> {
            if (isText && !settings.keep()) {
                terminal.tell(
                        "next: ./fleetgrad demo --text --keep goes on, with a page at http://127.0.0.1:29600/ where each"
                                + " new version continues what you type;");
                terminal.tell("      ./fleetgrad demo --text --data DIR learns your own .txt files;");
                terminal.tell(
                        "      ./fleetgrad train @recipes/nanogpt-shakespeare --data DIR takes longer, and writes better");
            }
            if (options.isJson()) {
                terminal.print(result.toJson());
            }
        });
        return 0;
    }

    /** Returns the arguments after the command's name, those of an @file in its place. */
    private List<String> given() {
        CommandLine root = command.commandLine().getParent();
        List<String> all =
                (root == null ? command.commandLine() : root).getParseResult().expandedArgs();
        return all.subList(all.indexOf(command.name()) + 1, all.size());
    }

    private void parse(List<String> arguments) {
        CommandLine.ParseResult unused = command.commandLine().parseArgs(arguments.toArray(String[]::new));
    }

    /** Ctrl-C, which ends most demonstrations with --keep, is an exit. */
    private static void deleteOnExit(Path folder) throws IOException {
        folder.toFile().deleteOnExit();
        try (var files = Files.list(folder)) {
            // Java deletes in the reverse order: the folder last.
            files.forEach(file -> file.toFile().deleteOnExit());
        }
    }
}
