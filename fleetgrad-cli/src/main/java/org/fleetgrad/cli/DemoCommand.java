package org.fleetgrad.cli;

import java.util.concurrent.Callable;
import org.fleetgrad.cli.display.Terminal;
import org.fleetgrad.cli.options.TrainingOptions;
import org.fleetgrad.runs.LocalRun;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

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
            "  fleetgrad demo --workers 4 --mode sync --keep   continues until Ctrl-C"
        })
final class DemoCommand implements Callable<Integer> {

    @Mixin
    private final TrainingOptions options = new TrainingOptions();

    @Override
    public Integer call() throws Exception {
        Terminal terminal = Terminal.ofProcess();
        new LocalRun(options.settings(), terminal, true).run(result -> {
            if (options.isJson()) {
                terminal.print(result.toJson());
            }
        });
        return 0;
    }
}
