package org.fleetgrad.pipelineruns;

import java.io.IOException;
import java.nio.file.Path;
import org.fleetgrad.datasets.shard.ShardManifest;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.networks.Task;
import org.fleetgrad.networks.block.BlockRange;
import org.fleetgrad.pipeline.run.BatchOrder;
import org.fleetgrad.pipeline.run.Windows;
import org.fleetgrad.runs.output.RunFailedException;
import org.fleetgrad.runs.output.RunOutput;
import org.fleetgrad.runs.shards.PreparedDataset;

/**
 * What a run trains: a network, on a dataset, in an order.
 *
 * @param network the network
 * @param dataset the dataset, cut into shards
 * @param shards  the description of the shards
 * @param windows the micro-batches between two flushes
 */
record PipelineProblem(NetworkDefinition network, PreparedDataset dataset, ShardManifest shards, Windows windows) {

    /** Prepares the dataset in a folder, and checks that the network fits it. */
    static PipelineProblem prepare(PipelineSettings settings, Path folder, RunOutput output) throws RunFailedException {
        PreparedDataset dataset = PreparedDataset.prepare(settings.run(), folder, output);
        Task task = dataset.schema().task();
        NetworkDefinition network = network(settings, dataset.name(), task);
        try {
            settings.run().network().augmentation().requireFits(task);
        } catch (IllegalArgumentException unfit) {
            throw RunFailedException.input(
                    "the augmentation does not fit the dataset %s: %s".formatted(dataset.name(), unfit.getMessage()));
        }
        BatchOrder order = new BatchOrder(
                dataset.shards().samples(),
                settings.microBatch(),
                !network.spec().state().isEmpty());
        Windows windows = new Windows(
                order,
                settings.cures().stepEvery(),
                settings.flushEvery(),
                settings.run().epochs(),
                settings.maxSteps());
        try {
            return new PipelineProblem(
                    network, dataset, ShardManifest.read(dataset.shards().manifest()), windows);
        } catch (IOException unreadable) {
            throw RunFailedException.input("the shards cannot be read: %s".formatted(unreadable));
        }
    }

    /** Returns the network for a dataset. */
    static NetworkDefinition network(PipelineSettings settings, String dataset, Task task) throws RunFailedException {
        NetworkDefinition network;
        try {
            network = Networks.named(settings.run().network().network().orElse(Networks.defaultFor(task)), task);
        } catch (IllegalArgumentException unfit) {
            throw RunFailedException.input(
                    "the network does not fit the dataset %s: %s".formatted(dataset, unfit.getMessage()));
        }
        requireMayBeCut(network, settings.stages());
        return network;
    }

    /** Rejects a network that is only computed whole, before its blocks are measured. */
    static void requireMayBeCut(NetworkDefinition network, int stages) throws RunFailedException {
        if (stages == 1 || network.blocks().size() == 1) {
            return;
        }
        try {
            Object unused = BlockRange.of(network, 1, network.blocks().size());
        } catch (IllegalArgumentException whole) {
            throw RunFailedException.input("--stages %d: %s".formatted(stages, whole.getMessage()));
        }
    }
}
