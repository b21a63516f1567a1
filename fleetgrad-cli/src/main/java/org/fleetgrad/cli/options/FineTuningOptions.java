package org.fleetgrad.cli.options;

import static org.fleetgrad.cli.options.OptionCheck.accept;

import org.fleetgrad.cli.help.HelpGroup;
import org.fleetgrad.cli.help.HelpGroup.Topic;
import org.fleetgrad.optim.RateRanges;
import org.fleetgrad.protocol.tensor.FreezePatterns;
import org.fleetgrad.protocol.tensor.RatePatterns;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The options that say which tensors a run trains. */
@HelpGroup(Topic.BEGINNING)
final class FineTuningOptions {

    @Spec(Target.MIXEE)
    private @Nullable CommandSpec command;

    @Option(
            names = "--freeze",
            paramLabel = "PATTERNS",
            defaultValue = "",
            description =
                    "Tensors that the run does not change, and that workers neither compute gradients of nor send:"
                            + " patterns of names with commas between them, such as 'conv1.*,layer1.*', in which * stands for any"
                            + " characters (default: none)")
    private String freeze = "";

    @Option(
            names = "--rate-for",
            paramLabel = "PATTERN=FACTOR",
            defaultValue = "",
            description = "Factors of the learning rate for some tensors, by patterns of their names, such as"
                    + " 'fc.*=10,conv1.*=0.1'; the first pattern that matches counts (default: none)")
    private String rates = "";

    RatePatterns rates() {
        return accept(command, "--rate-for", () -> {
            RatePatterns read = RatePatterns.parse(rates);
            read.factors().forEach(each -> RateRanges.requireFactor(each.factor()));
            return read;
        });
    }

    FreezePatterns freeze() {
        return accept(command, "--freeze", () -> FreezePatterns.parse(freeze));
    }
}
