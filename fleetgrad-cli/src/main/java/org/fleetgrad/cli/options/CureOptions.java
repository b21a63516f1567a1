package org.fleetgrad.cli.options;

import static org.fleetgrad.cli.options.OptionCheck.require;

import java.util.List;
import java.util.Locale;
import org.fleetgrad.cli.help.HelpGroup;
import org.fleetgrad.cli.help.HelpGroup.Topic;
import org.fleetgrad.pipeline.run.CureChoice;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The options that say how a pipeline trains: its schedule, and the cures for staleness. */
@HelpGroup(Topic.CURES)
final class CureOptions {

    @Spec(Target.MIXEE)
    private @Nullable CommandSpec command;

    @Option(
            names = "--pipeline-schedule",
            paramLabel = "NAME",
            defaultValue = "1f1b",
            description = "Schedule of the pipeline, the order of forward and backward passes: sequential, gpipe,"
                    + " sync-1f1b, 1f1b, pipedream, virtual-1f1b; or ddp, the baseline: a worker for each stage with"
                    + " the whole network, synchronous (default: ${DEFAULT-VALUE})")
    private String schedule = "1f1b";

    @Option(
            names = "--step-every",
            paramLabel = "K",
            defaultValue = "1",
            description = "Micro-batches whose gradients make a step (default: ${DEFAULT-VALUE})")
    private int stepEvery;

    @Option(
            names = "--supremum",
            paramLabel = "S",
            defaultValue = "0",
            description =
                    "With --pipeline-schedule virtual-1f1b: exclusive upper bound on staleness (default: the number"
                            + " of stages)")
    private int supremum;

    @Option(
            names = "--stash",
            description = "Run the backward pass with the weights of the forward pass (weight stashing)")
    private boolean stash;

    @Option(
            names = "--predict",
            paramLabel = "METHOD",
            description = "Run the forward pass with predicted weights: msnag, or aggmsnag, which includes weight decay"
                    + " and gradient accumulation. With sgd, aggmsnag needs --weight-decay, and msnag none")
    private @Nullable String predict;

    @Option(
            names = "--predict-nesterov",
            description = "With --predict: a stage without staleness predicts one step ahead, as in Nesterov momentum")
    private boolean lookAhead;

    @Option(
            names = "--schedule-aware",
            description = "With --predict, and adam or adamw: predict with the learning rates of the steps to come")
    private boolean scheduleAware;

    @Option(
            names = "--gap-aware",
            paramLabel = "loss",
            arity = "0..1",
            fallbackValue = "all",
            description = "Shrink gradients by the gap between the weights of the forward pass and the current ones."
                    + " =loss: run the backward pass with the current weights, and stash only to measure the gap")
    private @Nullable String gapAware;

    @Option(
            names = "--recompute",
            negatable = true,
            defaultValue = "false",
            fallbackValue = "true",
            description =
                    "Store only the input of a stage, and recompute its activations in the backward pass (default:"
                            + " no; gpipe needs it)")
    private boolean recompute;

    String schedule() {
        return schedule;
    }

    int stepEvery() {
        return stepEvery;
    }

    /**
     * Returns the choice. The pipeline checks that its parts are compatible.
     *
     * @param clipNorm largest global gradient norm; 0 for none
     */
    CureChoice choice(double clipNorm) {
        require(command, stepEvery >= 1, "--step-every must be 1 or more; it is " + stepEvery);
        require(
                command,
                gapAware == null || List.of("all", "loss").contains(gapAware),
                "--gap-aware stands alone, or is --gap-aware=loss; it is '%s'".formatted(gapAware));
        require(
                command,
                predict != null || (!lookAhead && !scheduleAware),
                "--predict-nesterov and --schedule-aware are options of --predict: add --predict msnag or aggmsnag");
        return new CureChoice(
                schedule,
                stepEvery,
                supremum,
                stash,
                predict == null ? "" : predict.toLowerCase(Locale.ROOT),
                lookAhead,
                scheduleAware,
                gapAware == null ? "" : gapAware,
                recompute,
                clipNorm);
    }
}
