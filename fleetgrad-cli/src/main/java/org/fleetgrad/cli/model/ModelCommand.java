package org.fleetgrad.cli.model;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code fleetgrad model}. */
@Command(
        name = "model",
        mixinStandardHelpOptions = true,
        description = "Lists, shows and exports checkpoints, pulls a server's newest parameters, and rolls it back.",
        subcommands = {
            ModelListCommand.class,
            ShowCommand.class,
            ExportCommand.class,
            PullCommand.class,
            RollbackCommand.class
        },
        footer = {
            "",
            "LOCATION is a folder of checkpoints, a run's folder, or s3://bucket/prefix. For a bucket, set",
            "S3_ENDPOINT, S3_ACCESS_KEY and S3_SECRET_KEY.",
            "",
            "Examples:",
            "  fleetgrad model list --checkpoints runs/20260102-030405",
            "  fleetgrad model export latest --checkpoints s3://models/mnist --out model.safetensors",
            "  fleetgrad model pull --out model.safetensors",
            "  fleetgrad model rollback 42"
        })
public final class ModelCommand implements Runnable {

    @Spec
    private @Nullable CommandSpec command;

    @Override
    public void run() {
        if (command != null) {
            throw new ParameterException(
                    command.commandLine(), "a command is missing: list, show, export, pull or rollback");
        }
    }
}
