package org.fleetgrad.cli.model;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The option that says where a command reads checkpoints. */
final class CheckpointSource {

    static final String DESCRIPTION =
            "Checkpoints to read: a folder of checkpoints, the folder of a run, or s3://bucket/prefix";

    @Spec(Target.MIXEE)
    private @Nullable CommandSpec command;

    @Option(names = "--checkpoints", paramLabel = "LOCATION", required = true, description = DESCRIPTION)
    private String from = "";

    CheckpointPlace place() {
        return new CheckpointPlace(from, Objects.requireNonNull(command));
    }
}
