package org.fleetgrad.cli.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a run came to: the object that {@code --json} prints and the head of {@code report.json}.
 *
 * @param accuracy         held-out accuracy of the model that was written
 * @param version          its version
 * @param samples          training samples in applied gradients
 * @param seconds          from the first activation to the end of training
 * @param secondsToTarget  from the first activation to the first held-out accuracy at the target; absent if never
 * @param samplesPerSecond samples over seconds
 * @param workers          worker processes
 * @param worstStaleness   largest staleness of an applied gradient
 * @param modelPath        the written model
 * @param targetAccuracy   what was asked for
 * @param reachedTarget    whether the written model is at it
 * @param mode             async, sync, backup or ssp
 * @param dataset          name of the dataset
 * @param network          what was trained
 * @param activations      invocations of workers
 * @param stale            gradients dropped as too old
 * @param reportPath       the run report
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RunResult(
        double accuracy,
        long version,
        long samples,
        double seconds,
        @Nullable Double secondsToTarget,
        double samplesPerSecond,
        int workers,
        long worstStaleness,
        String modelPath,
        double targetAccuracy,
        boolean reachedTarget,
        String mode,
        String dataset,
        String network,
        int activations,
        long stale,
        String reportPath) {

    /** Writes the object in one line. */
    public String toJson() {
        return JsonMapper.builder().build().writeValueAsString(this);
    }

    /** What {@code report.json} holds. */
    record Report(
            RunResult result,
            Map<String, Object> settings,
            int serverRestarts,
            List<Progress.Point> curve,
            List<Map<String, Object>> activations) {}
}
