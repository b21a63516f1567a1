package org.fleetgrad.reports;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.fleetgrad.protocol.messages.LabelFigures;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * The result of a run: {@code --json} prints it, and {@code report.json} contains it.
 *
 * @param accuracy         held-out accuracy of the model that was written; absent where numbers or labels are predicted
 * @param accuracyTop5     share of the held-out samples whose label is among its five most probable classes; absent if the
 *     network has five classes or fewer
 * @param heldOutLoss      its mean loss over the held-out samples, or over the tokens of a held-out text
 * @param perplexity       exp(heldOutLoss) of a text; absent for images
 * @param bitsPerCharacter the loss of all held-out tokens of a text, in bits, by the characters that they stand for; absent for
 *     images
 * @param r2               its coefficient of determination over the held-out samples, where numbers are predicted; absent elsewhere,
 *     and if all targets are equal
 * @param rmse             root of its mean squared error, in the units of the target; likewise
 * @param mae              its mean absolute error, in the units of the target; likewise
 * @param auc              area under its ROC curve over the held-out rows, where a table has two classes; absent elsewhere, and if all
 *     rows are of one class
 * @param f1               its F1 of the second class, predicted above a probability of one half; absent elsewhere
 * @param precision        likewise, the share of the predicted rows that are of this class
 * @param recall           likewise, the share of the rows of this class that are predicted
 * @param labels           its figures over the held-out rows, where a table has several labels; absent elsewhere
 * @param version          its version
 * @param samples          training samples in applied gradients, including those of a run that it resumed from
 * @param seconds          from the first activation to the end of training
 * @param secondsToTarget  from the first activation to the first held-out result at the target; absent if never
 * @param samplesPerSecond samples of this run over seconds
 * @param tokensPerSecond  tokens of this run over seconds, of a text; absent for images
 * @param workers          worker processes
 * @param worstStaleness   largest staleness of an applied gradient
 * @param modelPath        the written model
 * @param tensorsSha256    SHA-256 of its tensors' bytes in the file's order, without the file's header. Runs of the same bits
 *     have the same, though their files also name their versions
 * @param targetAccuracy   the target, if it is an accuracy
 * @param targetLoss       the target, if it is a held-out loss
 * @param targetR2         the target, if it is a coefficient of determination
 * @param targetMicroF1    the target, if it is a micro F1 of labels
 * @param reachedTarget    whether the written model reached it; absent if there is no target
 * @param ended            why the run ended: target, epochs, steps, patience or stopped
 * @param best             the best evaluated version; absent if none was kept
 * @param mode             async, sync, backup or ssp
 * @param dataset          name of the dataset
 * @param network          name of the network
 * @param activations      number of activations that found work or were killed
 * @param coldStarts       number of these whose container was created for them
 * @param killed           number of these whose container was killed
 * @param gbSeconds        memory of a worker times the seconds of all activations; absent if workers have no memory limit
 * @param gbSecondsUnrecorded estimate of the GB-seconds of first tries whose container died, and which the platform ran again
 *     under the same activation; its records have the last try only, and gbSeconds and cost have what the records have. Absent if
 *     there were none
 * @param peakMemoryMiB    largest unreclaimable memory of a worker, sampled ten times a second: heap, libtorch's tensors and
 *     the JVM's own, without the pages of files; absent if workers do not report it
 * @param samplesLost      samples that the work counts as processed but no step used
 * @param samplesDoubled   samples that steps used more often than the work contains them
 * @param stale            gradients dropped as too old
 * @param bytes            bytes of tensors and shards that the activations sent and received
 * @param cost             at the prices given; absent without them
 * @param reportPath       the run report
 * @param pagePath         the same as a page to read
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RunResult(
        @Nullable Double accuracy,
        @Nullable Double accuracyTop5,
        @Nullable Double heldOutLoss,
        @Nullable Double perplexity,
        @Nullable Double bitsPerCharacter,
        @Nullable Double r2,
        @Nullable Double rmse,
        @Nullable Double mae,
        @Nullable Double auc,
        @Nullable Double f1,
        @Nullable Double precision,
        @Nullable Double recall,
        @Nullable LabelFigures labels,
        long version,
        long samples,
        double seconds,
        @Nullable Double secondsToTarget,
        double samplesPerSecond,
        @Nullable Double tokensPerSecond,
        int workers,
        long worstStaleness,
        String modelPath,
        String tensorsSha256,
        @Nullable Double targetAccuracy,
        @Nullable Double targetLoss,
        @Nullable Double targetR2,
        @Nullable Double targetMicroF1,
        @Nullable Boolean reachedTarget,
        String ended,
        @Nullable BestResult best,
        String mode,
        String dataset,
        String network,
        int activations,
        int coldStarts,
        int killed,
        @Nullable Double gbSeconds,
        @Nullable Double gbSecondsUnrecorded,
        @Nullable Double peakMemoryMiB,
        long samplesLost,
        long samplesDoubled,
        long stale,
        long bytes,
        @Nullable Double cost,
        String reportPath,
        String pagePath) {

    /** Returns whether it is of a text, of numbers or of labels: then its loss says how good it is, and not the share that is right. */
    boolean showsLoss() {
        return (perplexity != null || rmse != null || labels != null) && heldOutLoss != null;
    }

    /** Returns the target; none if it has none. */
    RunTarget target() {
        return RunTarget.of(targetAccuracy, targetLoss, targetR2, targetMicroF1);
    }

    /** Writes the object in one line. */
    public String toJson() {
        return JsonMapper.builder().build().writeValueAsString(this);
    }
}
