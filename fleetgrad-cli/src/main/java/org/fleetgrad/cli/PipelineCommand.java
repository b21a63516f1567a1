package org.fleetgrad.cli;

import java.util.concurrent.Callable;
import org.fleetgrad.cli.display.Terminal;
import org.fleetgrad.cli.options.PipelineOptions;
import org.fleetgrad.pipelineruns.DataParallelRun;
import org.fleetgrad.pipelineruns.PipelineResult;
import org.fleetgrad.pipelineruns.PipelineRun;
import org.fleetgrad.pipelineruns.PipelineSettings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code fleetgrad pipeline}: trains a network that is cut into stages. */
@Command(
        name = "pipeline",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Trains a network that is cut into stages.",
        footer = {
            "",
            "Examples:",
            "  fleetgrad pipeline --network vgg16_bn --data DIR --stages 4 --plan",
            "  fleetgrad pipeline @recipes/pipeline/ws_msnag_ga --data DIR",
            "  fleetgrad pipeline --network resnet20 --data DIR --stages 4 --pipeline-schedule 1f1b --stash --predict msnag --json",
            "  fleetgrad pipeline --network resnet20 --data DIR --stages 4 --flush 100 --resume runs/mine"
        })
final class PipelineCommand implements Callable<Integer> {

    @Mixin
    private final PipelineOptions options = new PipelineOptions();

    @Override
    public Integer call() throws Exception {
        PipelineSettings settings = options.settings();
        Terminal terminal = Terminal.ofProcess(options.isPlain());
        if (options.isPlan()) {
            terminal.print(new PipelineRun(settings, terminal).plan());
            return 0;
        }
        PipelineResult result = options.isDataParallel()
                ? new DataParallelRun(settings, terminal).run()
                : new PipelineRun(settings, terminal).run();
        if (options.isJson()) {
            terminal.print(result.toJson());
        }
        return 0;
    }
}
