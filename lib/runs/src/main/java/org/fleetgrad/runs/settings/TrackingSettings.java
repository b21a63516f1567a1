package org.fleetgrad.runs.settings;

import java.nio.file.Path;
import java.util.Optional;
import org.fleetgrad.mlflow.MlflowServer;

/**
 * Where a run's curves are written besides its folder.
 *
 * @param tensorboard folder of TensorBoard, in which the run gets a folder of its own; absent for none
 * @param mlflow      server of MLflow; absent for none
 * @param experiment  name of the experiment that gets the run there
 */
public record TrackingSettings(Optional<Path> tensorboard, Optional<MlflowServer> mlflow, String experiment) {

    /** Only the run's folder. */
    public static final TrackingSettings NONE = new TrackingSettings(Optional.empty(), Optional.empty(), "");
}
