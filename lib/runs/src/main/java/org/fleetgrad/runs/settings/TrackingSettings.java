package org.fleetgrad.runs.settings;

import java.nio.file.Path;
import java.util.Optional;
import org.fleetgrad.mlflow.MlflowServer;
import org.fleetgrad.runs.kept.RunLabel;

/**
 * What a run is called, and where its curves are written besides its folder.
 *
 * @param label       what the user calls it; absent for a part of another run, which {@code fleetgrad runs} does not list
 * @param tensorboard folder of TensorBoard, in which the run gets a folder of its own; absent for none
 * @param mlflow      server of MLflow; absent for none
 * @param experiment  name of the experiment that gets the run there
 */
public record TrackingSettings(
        Optional<RunLabel> label, Optional<Path> tensorboard, Optional<MlflowServer> mlflow, String experiment) {

    /** Only the run's folder, which is in another run's. */
    public static final TrackingSettings NONE =
            new TrackingSettings(Optional.empty(), Optional.empty(), Optional.empty(), "");
}
