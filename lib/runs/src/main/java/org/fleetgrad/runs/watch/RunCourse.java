package org.fleetgrad.runs.watch;

import java.util.List;
import org.fleetgrad.reports.Report.FleetChange;
import org.fleetgrad.runs.fleet.ActivationLog;

/**
 * How a run went, as it was watched.
 *
 * @param progress       the curve, and when the target was reached
 * @param log            the activations
 * @param trained        samples of this run; those of a run that it resumed from do not count
 * @param surplus        samples that steps used more often than the work contains them; below 0, samples that no step used
 * @param seconds        time of training
 * @param serverRestarts how often a parameter server was restarted
 * @param fleet          how the number of workers changed; empty if it was fixed
 * @param end            why it ended
 */
public record RunCourse(
        RunProgress progress,
        ActivationLog log,
        long trained,
        long surplus,
        double seconds,
        int serverRestarts,
        List<FleetChange> fleet,
        EndReason end) {}
