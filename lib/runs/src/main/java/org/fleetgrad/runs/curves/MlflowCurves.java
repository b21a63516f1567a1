package org.fleetgrad.runs.curves;

import java.util.ArrayList;
import java.util.List;
import org.fleetgrad.mlflow.Metric;
import org.fleetgrad.mlflow.TrackedRun;

/**
 * The curves of a run in MLflow. A point's step is the version that it belongs to. MLflow cannot take points back: if a server was restored
 * at an earlier version, both histories remain, in the order of their times.
 */
final class MlflowCurves implements CurveFile {

    private final TrackedRun run;

    MlflowCurves(TrackedRun run) {
        this.run = run;
    }

    @Override
    public void begin(CurveRow first) {
        // Nothing marks it.
    }

    @Override
    public void add(CurveRow row) {
        List<Metric> metrics = new ArrayList<>();
        add(metrics, Curve.TRAINING, row, row.version());
        row.heldOut().ifPresent(evaluated -> add(metrics, Curve.HELD_OUT, row, evaluated.version()));
        run.log(metrics);
    }

    private static void add(List<Metric> metrics, List<Curve> curves, CurveRow row, long step) {
        for (Curve curve : curves) {
            curve.in(row)
                    .ifPresent(value -> metrics.add(
                            new Metric(curve.tag(), value, row.time().toEpochMilli(), step)));
        }
    }

    /** Who holds the run ends it. */
    @Override
    public void close() {}
}
