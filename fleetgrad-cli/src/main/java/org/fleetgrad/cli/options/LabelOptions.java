package org.fleetgrad.cli.options;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.fleetgrad.cli.help.HelpGroup;
import org.fleetgrad.cli.help.HelpGroup.Topic;
import org.fleetgrad.runs.kept.RunLabel;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The options that say what a run is called. */
@HelpGroup(Topic.RECORD)
public final class LabelOptions {

    @Spec(Target.MIXEE)
    private @Nullable CommandSpec command;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description =
                    "Name of the run for fleetgrad runs; one that another run has is refused (default: that of its folder)")
    private @Nullable String name;

    @Option(
            names = "--tag",
            paramLabel = "TAG",
            description =
                    "Word that several runs share, by which fleetgrad runs finds them; repeat the option for several")
    private List<String> tags = new ArrayList<>();

    @Option(names = "--note", paramLabel = "TEXT", description = "Sentence about the run, which fleetgrad runs shows")
    private @Nullable String note;

    RunLabel label() {
        return OptionCheck.accept(
                command,
                "--name, --tag, --note",
                () -> new RunLabel(Optional.ofNullable(name), tags, Optional.ofNullable(note)));
    }
}
