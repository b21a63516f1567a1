package org.fleetgrad.reports;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The contents of {@code report.json}.
 *
 * @param result         the result of the run
 * @param settings       the run's settings
 * @param serverRestarts how often the parameter server was started again
 * @param prices         the user's prices
 * @param baseline       the same training on one machine; absent if it was not measured
 * @param fleet          how the number of workers changed; absent if it was fixed
 * @param curve          the state of the run over time
 * @param activations    the activations
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Report(
        RunResult result,
        Map<String, Object> settings,
        int serverRestarts,
        Prices prices,
        @Nullable Baseline baseline,
        @Nullable List<FleetChange> fleet,
        List<CurvePoint> curve,
        List<ActivationRow> activations) {

    /**
     * The state of a run at one time.
     *
     * @param seconds  since the first activation
     * @param version  newest version
     * @param samples  trained so far
     * @param loss     smoothed training loss
     * @param accuracy newest held-out accuracy
     */
    public record CurvePoint(
            double seconds,
            long version,
            long samples,
            @Nullable Double loss,
            @Nullable Double accuracy) {}

    /**
     * A change of the number of workers.
     *
     * @param seconds since the first activation
     * @param workers wanted number of workers from then on
     * @param reason  the reason
     */
    public record FleetChange(double seconds, int workers, String reason) {}
}
