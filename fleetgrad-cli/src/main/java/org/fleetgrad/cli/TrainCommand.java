package org.fleetgrad.cli;

import java.util.concurrent.Callable;
import org.fleetgrad.cli.display.Terminal;
import org.fleetgrad.cli.help.HelpGroup;
import org.fleetgrad.cli.help.HelpGroup.Topic;
import org.fleetgrad.cli.options.FleetOptions;
import org.fleetgrad.cli.options.InvokerOptions;
import org.fleetgrad.cli.options.ReportOptions;
import org.fleetgrad.cli.options.ServingOptions;
import org.fleetgrad.cli.options.TrainingOptions;
import org.fleetgrad.cli.search.TrainArguments.Trainable;
import org.fleetgrad.runs.LocalRun;
import org.fleetgrad.runs.RunPlan;
import org.fleetgrad.runs.settings.RunSettings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code fleetgrad train}: the demo without the prediction at the end, and with a choice of where the workers run. */
@Command(
        name = "train",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Trains a network and writes the model and a report; workers are processes, containers or OpenWhisk actions.",
        footer = {
            "",
            "Examples:",
            "  fleetgrad train --data DIR --epochs 5 --target-accuracy 0.99 --json",
            "  fleetgrad train --data DIR --invoker docker --workers 6 --memory 256m --activation-limit 60s",
            "  fleetgrad train --data DIR --invoker docker --workers 8 --elastic --baseline --gb-second-price 0.000017",
            "  fleetgrad train --data DIR --invoker openwhisk --workers 6 --server-address 172.17.0.1"
        })
final class TrainCommand implements Callable<Integer>, Trainable {

    @Mixin
    private final TrainingOptions options = new TrainingOptions();

    @Mixin
    private final InvokerOptions invoker = new InvokerOptions();

    @Mixin
    private final FleetOptions fleet = new FleetOptions();

    @Mixin
    private final ServingOptions serving = new ServingOptions();

    @Mixin
    private final ReportOptions report = new ReportOptions();

    @HelpGroup(Topic.OUTPUT)
    @Option(
            names = "--plan",
            description =
                    "Print the plan: the dataset as it is read, such as the columns of a table, and the network; and exit")
    private boolean isPlan;

    @Override
    public RunSettings settings() {
        return options.settings(invoker, fleet, report, serving);
    }

    @Override
    public Integer call() throws Exception {
        Terminal terminal = Terminal.ofProcess(options.isPlain());
        RunSettings settings = settings();
        if (isPlan) {
            RunPlan.tell(settings, terminal);
            return 0;
        }
        new LocalRun(settings, terminal).run(result -> {
            if (options.isJson()) {
                terminal.print(result.toJson());
            }
        });
        return 0;
    }
}
