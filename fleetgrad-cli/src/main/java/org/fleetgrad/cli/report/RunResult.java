package org.fleetgrad.cli.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a run came to: the object that {@code --json} prints and the head of {@code report.json}.
 *
 * @param accuracy         held-out accuracy of the model that was written
 * @param version          its version
 * @param samples          training samples in applied gradients, those of a run that it goes on from included
 * @param seconds          from the first activation to the end of training
 * @param secondsToTarget  from the first activation to the first held-out accuracy at the target; absent if never
 * @param samplesPerSecond samples of this run over seconds
 * @param workers          worker processes
 * @param worstStaleness   largest staleness of an applied gradient
 * @param modelPath        the written model
 * @param targetAccuracy   what was asked for
 * @param reachedTarget    whether the written model is at it
 * @param mode             async, sync, backup or ssp
 * @param dataset          name of the dataset
 * @param network          what was trained
 * @param activations      invocations of workers that found work, or were killed
 * @param coldStarts       of these, those whose container was made for them
 * @param killed           of these, those whose container was killed
 * @param gbSeconds        memory of a worker times the seconds of all activations; absent where workers have no limit
 * @param peakMemoryMiB    largest resident memory of a worker; absent where it does not say
 * @param samplesLost      samples that the work counts as done, and that were in no step
 * @param samplesDoubled   samples that were in a step more often than the work has them
 * @param stale            gradients dropped as too old
 * @param bytes            tensor and shard bytes that the activations exchanged, both ways
 * @param cost             at the prices given; absent without them
 * @param reportPath       the run report
 * @param pagePath         the same as a page to read
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
        int coldStarts,
        int killed,
        @Nullable Double gbSeconds,
        @Nullable Double peakMemoryMiB,
        long samplesLost,
        long samplesDoubled,
        long stale,
        long bytes,
        @Nullable Double cost,
        String reportPath,
        String pagePath) {

    /** Writes the object in one line. */
    public String toJson() {
        return JsonMapper.builder().build().writeValueAsString(this);
    }
}
