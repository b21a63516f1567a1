package org.fleetgrad.cli.options;

import static org.fleetgrad.cli.options.OptionCheck.accept;
import static org.fleetgrad.cli.options.OptionCheck.require;

import java.util.Optional;
import org.fleetgrad.cli.help.HelpGroup;
import org.fleetgrad.cli.help.HelpGroup.Topic;
import org.fleetgrad.runs.settings.PatienceSettings;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The options that end a run whose held-out score no longer gets better. */
@HelpGroup(Topic.END)
final class PatienceOptions {

    @Spec(Target.MIXEE)
    private @Nullable CommandSpec command;

    @Option(
            names = "--patience",
            paramLabel = "EPOCHS",
            description =
                    "Stop when no evaluated version in so many epochs, such as 3 or 0.5, was better than the best; the model"
                            + " is then the best version (default: never)")
    private @Nullable Double epochs;

    @Option(
            names = "--min-delta",
            paramLabel = "X",
            description =
                    "With --patience: an accuracy that is higher, or a loss that is smaller, by no more than this is no"
                            + " improvement (default: 0)")
    private @Nullable Double minDelta;

    /** Returns the patience; empty for a run without. */
    Optional<PatienceSettings> settings() {
        require(command, minDelta == null || epochs != null, "--min-delta is an option of --patience");
        return Optional.ofNullable(epochs)
                .map(given -> accept(
                        command, "--patience", () -> new PatienceSettings(given, minDelta == null ? 0 : minDelta)));
    }
}
