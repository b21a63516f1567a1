package org.fleetgrad.runs;

import org.fleetgrad.datasets.Dataset;
import org.fleetgrad.networks.ClassWeights;
import org.fleetgrad.runs.output.RunFailedException;
import org.fleetgrad.runs.output.RunOutput;
import org.fleetgrad.runs.settings.RunSettings;
import org.fleetgrad.runs.shards.FittingHeader;
import org.fleetgrad.runs.shards.FittingImbalance;
import org.fleetgrad.runs.shards.PreparedDataset;

/** What a run would train on: its dataset as it is read, and its network. Nothing is started, and nothing written. */
public final class RunPlan {

    private RunPlan() {}

    /**
     * Tells the plan.
     *
     * @throws RunFailedException if the dataset cannot be read, or the network does not fit it
     */
    public static void tell(RunSettings settings, RunOutput output) throws RunFailedException {
        Dataset dataset = PreparedDataset.read(settings);
        output.tell("%s: %,d training and %,d held-out samples, %s"
                .formatted(
                        dataset.name(),
                        dataset.train().count(),
                        dataset.test().count(),
                        dataset.schema().task()));
        dataset.notes().forEach(output::tell);
        FittingHeader.require(settings, dataset);
        ClassWeights weights = FittingImbalance.weights(settings.optimization().imbalance(), dataset);
        if (!weights.areEqual()) {
            output.tell(FittingImbalance.shown(weights, dataset.schema().classes()));
        }
        long bytes = RunNetwork.bytes(settings, dataset.name(), dataset.schema().task(), output::tell);
        output.tell("each version of the network takes %,d bytes".formatted(bytes));
    }
}
