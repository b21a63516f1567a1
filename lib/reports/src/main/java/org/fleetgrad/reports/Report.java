package org.fleetgrad.reports;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;
import org.fleetgrad.protocol.messages.HeldOutEvaluation;
import org.jspecify.annotations.Nullable;

/**
 * The contents of {@code report.json}.
 *
 * @param serverRestarts how often the parameter server was started again
 * @param baseline       the same training on one machine; absent if it was not measured
 * @param fleet          how the number of workers changed; absent if it was fixed
 * @param evaluation     the evaluation of the model, with what is right and what is wrong; absent if there is none. It is another
 *     version's only if the run was resumed, and the model was evaluated before
 * @param curve          the state of the run over time
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Report(
        RunResult result,
        Map<String, Object> settings,
        int serverRestarts,
        Prices prices,
        @Nullable Baseline baseline,
        @Nullable List<FleetChange> fleet,
        @Nullable HeldOutEvaluation evaluation,
        List<CurvePoint> curve,
        List<ActivationRow> activations) {

    /** Returns what the time of the workers went into. */
    @JsonProperty
    public WorkerTime workerTime() {
        return WorkerTime.of(this);
    }

    /** The state of a run at one time, in seconds since the first activation; the loss is that of the training, smoothed. */
    public record CurvePoint(
            double seconds,
            long version,
            long samples,
            @Nullable Double loss,
            @Nullable Double accuracy,
            @Nullable Double heldOutLoss) {}

    /** A change of the wanted number of workers, in seconds since the first activation. */
    public record FleetChange(double seconds, int workers, String reason) {}
}
