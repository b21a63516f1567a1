package org.fleetgrad.cli.options;

import static org.fleetgrad.cli.options.OptionCheck.accept;
import static org.fleetgrad.cli.options.OptionCheck.require;

import java.util.Optional;
import org.fleetgrad.cli.help.HelpGroup;
import org.fleetgrad.cli.help.HelpGroup.Topic;
import org.fleetgrad.datasets.imbalance.ClassWeighting;
import org.fleetgrad.datasets.sampling.Sampling;
import org.fleetgrad.runs.settings.ImbalanceSettings;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The options for datasets with rare classes. */
@HelpGroup(Topic.TRAINING)
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

    @Option(
            names = "--sampling",
            paramLabel = "HOW",
            defaultValue = "shuffled",
            description =
                    "Which samples an epoch has: shuffled, each once; or balanced, as many, drawn with replacement so"
                            + " that each class of a shard is drawn equally often (default: ${DEFAULT-VALUE})")
    private String sampling = Sampling.SHUFFLED.word();

    ImbalanceSettings settings() {
        Optional<Sampling> drawn = Sampling.named(sampling);
        require(
                command,
                drawn.isPresent(),
                "--sampling must be %s; it is '%s'".formatted(String.join(" or ", Sampling.words()), sampling));
        return new ImbalanceSettings(
                accept(command, "--class-weights", () -> ClassWeighting.parse(classWeights)),
                drawn.orElse(Sampling.SHUFFLED));
    }
}
