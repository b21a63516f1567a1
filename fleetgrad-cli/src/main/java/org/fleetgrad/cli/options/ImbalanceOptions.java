package org.fleetgrad.cli.options;

import static org.fleetgrad.cli.options.OptionCheck.accept;

import org.fleetgrad.datasets.imbalance.ClassWeighting;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The options for datasets with rare classes. */
final class ImbalanceOptions {

    @Spec(Target.MIXEE)
    private @Nullable CommandSpec command;

    @Option(
            names = "--class-weights",
            paramLabel = "WEIGHTS",
            defaultValue = "",
            description = "How much samples count in the loss by their classes: balanced, so that rare classes count as"
                    + " much as frequent ones; or weights of names or numbers of classes, such as 'cat=1,dog=4.5', where"
                    + " the others have 1 (default: all count alike)")
    private String classWeights = "";

    ClassWeighting classWeights() {
        return accept(command, "--class-weights", () -> ClassWeighting.parse(classWeights));
    }
}
