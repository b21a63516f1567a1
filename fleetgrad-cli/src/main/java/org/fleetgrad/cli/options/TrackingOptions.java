package org.fleetgrad.cli.options;

import static org.fleetgrad.cli.options.OptionCheck.require;

import java.nio.file.Path;
import java.util.Optional;
import org.fleetgrad.cli.help.HelpGroup;
import org.fleetgrad.cli.help.HelpGroup.Topic;
import org.fleetgrad.mlflow.MlflowServer;
import org.fleetgrad.runs.settings.TrackingSettings;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The options that say what a run is called, and where its curves are written besides its folder. */
@HelpGroup(Topic.RECORD)
public final class TrackingOptions {

    private static final String EXPERIMENT = "MLFLOW_EXPERIMENT_NAME";

    @Spec(Target.MIXEE)
    private @Nullable CommandSpec command;

    @Mixin
    private final LabelOptions label = new LabelOptions();

    @Option(
            names = "--tensorboard",
            paramLabel = "DIR",
            description =
                    "Also write the curves as an event file of TensorBoard, into DIR/NAME, where NAME is the name of"
                            + " the run's folder")
    private @Nullable Path tensorboard;

    @Option(
            names = "--mlflow",
            paramLabel = "URL",
            description =
                    "Also write parameters, curves, report and model to the MLflow server at this address, such as"
                            + " http://127.0.0.1:5000; the run never waits for it")
    private @Nullable String mlflow;

    @Option(
            names = "--mlflow-experiment",
            paramLabel = "NAME",
            description = "Experiment that gets the run in MLflow; it is made if it does not exist (default:"
                    + " $MLFLOW_EXPERIMENT_NAME, or fleetgrad)")
    private @Nullable String experiment;

    TrackingSettings settings() {
        require(
                command,
                mlflow != null || experiment == null,
                "--mlflow-experiment names the experiment of --mlflow URL, which is not given");
        require(command, experiment == null || !experiment.isBlank(), "--mlflow-experiment must not be blank");
        String named = experiment != null ? experiment : System.getenv().getOrDefault(EXPERIMENT, "");
        return new TrackingSettings(
                Optional.of(label.label()),
                Optional.ofNullable(tensorboard),
                Optional.ofNullable(mlflow)
                        .map(address -> OptionCheck.accept(
                                command, "--mlflow", () -> MlflowServer.parse(address, System.getenv()))),
                named.isBlank() ? "fleetgrad" : named);
    }
}
