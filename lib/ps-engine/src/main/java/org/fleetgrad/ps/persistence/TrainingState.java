package org.fleetgrad.ps.persistence;

import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.fleetgrad.optim.RuleState;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.ps.history.RunHistory;
import org.fleetgrad.ps.membership.Worker;
import org.fleetgrad.ps.outcome.PushOutcome;
import org.fleetgrad.ps.parameters.Gradient;
import org.fleetgrad.ps.progress.TrainingStatistics;
import org.fleetgrad.ps.work.WorkQueue;

/**
 * Everything that a run needs to continue bit-identically and with the same answers. The arrays are copies.
 *
 * @param version    generation and steps made
 * @param layout     of the parameter set
 * @param metadata   strings that every version carries
 * @param parameters what the optimizer steps
 * @param optimizer  what the optimizer and the staleness rule remember
 * @param pending    the pending gradients of the next step, if there are any
 * @param staged     the gradients that another server decides about
 * @param answers    the outcomes of recent pushes, by worker
 * @param clocks     iterations by worker
 * @param members    the registered workers
 * @param counts     the statistics
 * @param history    values of recent versions, if the rule needs them
 * @param work       progress of the work, if the run has any
 * @param course     the time series of the run
 */
public record TrainingState(
        ParameterVersion version,
        TensorLayout layout,
        Map<String, String> metadata,
        float[] parameters,
        RuleState optimizer,
        Optional<Pending> pending,
        List<Gradient> staged,
        Map<String, NavigableMap<Long, PushOutcome>> answers,
        Map<String, Long> clocks,
        List<Worker> members,
        TrainingStatistics.State counts,
        NavigableMap<Long, float[]> history,
        Optional<WorkQueue.State> work,
        RunHistory.State course) {

    /**
     * Pending gradients of the next step.
     *
     * @param values     the single gradient; or the weighted sum; or each gradient, if the aggregation needs
     *     them apart
     * @param isWeighted whether they are such a sum
     * @param gradients  number of gradients
     * @param samples    number of their samples
     * @param weights    sum of their weights in the mean: of their samples, or of these samples' loss weights
     * @param lossSum    loss weighted likewise
     * @param batchSum   batches that a gradient observed the state over, weighted by samples
     * @param oldestBase smallest base version
     * @param workers    their workers
     */
    public record Pending(
            List<float[]> values,
            boolean isWeighted,
            int gradients,
            long samples,
            double weights,
            double lossSum,
            double batchSum,
            long oldestBase,
            Set<String> workers) {

        /** Returns the same figures with other values. */
        public Pending with(List<float[]> others) {
            return new Pending(others, isWeighted, gradients, samples, weights, lossSum, batchSum, oldestBase, workers);
        }
    }

    /** Returns the same with other contents of the optimizer. */
    public TrainingState with(RuleState other) {
        return new TrainingState(
                version,
                layout,
                metadata,
                parameters,
                other,
                pending,
                staged,
                answers,
                clocks,
                members,
                counts,
                history,
                work,
                course);
    }

    /** Returns the parameters and the optimizer as the beginning of another run: without pushes, workers and work. */
    public TrainingState inGeneration(String generation) {
        return new TrainingState(
                new ParameterVersion(generation, version.version()),
                layout,
                metadata,
                parameters,
                optimizer,
                Optional.empty(),
                List.of(),
                Map.of(),
                Map.of(),
                List.of(),
                counts.resumed(),
                new TreeMap<>(),
                Optional.empty(),
                RunHistory.State.EMPTY);
    }
}
