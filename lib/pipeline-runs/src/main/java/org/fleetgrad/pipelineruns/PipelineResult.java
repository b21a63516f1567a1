package org.fleetgrad.pipelineruns;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.fleetgrad.protocol.messages.LabelFigures;
import org.fleetgrad.protocol.messages.RegressionFigures;
import org.fleetgrad.reports.BestResult;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * The result of a run, as {@code --json} prints it.
 *
 * @param accuracy         held-out accuracy of the last flush, 0 to 1; absent where numbers or labels are predicted
 * @param heldOutLoss      its held-out loss
 * @param perplexity       exp(heldOutLoss) of a text; absent for images
 * @param bitsPerCharacter the loss of all held-out tokens of a text, in bits, by the characters that they stand for; absent for
 *     images
 * @param regression       its errors where numbers are predicted
 * @param labels           its figures where a table has several labels
 * @param trainLoss        mean loss of the last window
 * @param trainAccuracy    share of its training samples classified correctly, each with the weights at that time
 * @param samplesPerSecond of this run, including its flushes
 * @param bubble           share of the stages' time in which they were idle; absent without stages
 * @param staleness        mean staleness of each stage's gradients, in steps
 * @param liveVersions     largest number of versions of the weights that each stage held
 * @param peakMiB          largest resident memory of each stage's process; threads share one
 * @param network          the network's complete name
 * @param stages           number of stages
 * @param places           where they ran
 * @param schedule         name of the schedule
 * @param method           schedule and cures
 * @param cut              first block of each stage but the first
 * @param steps            taken, including those before a resume
 * @param samples          trained on, including those before a resume
 * @param seconds          of training in this run
 * @param flushes          complete flushes, including those before a resume
 * @param version          of the parameters on the server
 * @param ended            why the run ended: epochs, steps or patience
 * @param best             the best evaluated version; absent if none was kept
 * @param modelPath        the model
 * @param tensorsSha256    SHA-256 of its tensors' bytes in the file's order, without the file's header: a resumed run has that
 *     of a run that never died
 * @param timelinePath     the timeline as a picture; absent without stages
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PipelineResult(
        @Nullable Double accuracy,
        @Nullable Double heldOutLoss,
        @Nullable Double perplexity,
        @Nullable Double bitsPerCharacter,
        @Nullable RegressionFigures regression,
        @Nullable LabelFigures labels,
        @Nullable Double trainLoss,
        @Nullable Double trainAccuracy,
        double samplesPerSecond,
        @Nullable Double bubble,
        List<Double> staleness,
        List<Integer> liveVersions,
        List<Double> peakMiB,
        String network,
        int stages,
        String places,
        String schedule,
        String method,
        String cut,
        long steps,
        long samples,
        double seconds,
        long flushes,
        long version,
        String ended,
        @Nullable BestResult best,
        String modelPath,
        String tensorsSha256,
        @Nullable String timelinePath) {

    public PipelineResult {
        staleness = List.copyOf(staleness);
        liveVersions = List.copyOf(liveVersions);
        peakMiB = List.copyOf(peakMiB);
    }

    /** Returns the result as one line of JSON. */
    public String toJson() {
        return JsonMapper.builder().build().writeValueAsString(this);
    }
}
