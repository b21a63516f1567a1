package org.fleetgrad.worker.training;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.datasets.shard.DatasetDescription;
import org.fleetgrad.networks.Network;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.worker.data.ShardSource;
import org.fleetgrad.worker.training.ParameterExchange.WorkerIdentity;
import tools.jackson.databind.json.JsonMapper;

/**
 * One activation's training: a shard, a network, a server.
 *
 * @param batchSize      samples of a batch
 * @param epochs         passes over the shard
 * @param firstEpoch     number of the first pass, which decides the order of its samples
 * @param updateInterval batches whose mean gradient makes a push
 * @param seed           of the initial parameters and the order of the samples
 * @param worker         the id to register under, where one is wanted
 * @param description    what the worker is, for people
 * @param device         what it computes on
 * @param deadline       when it will be gone, epoch milliseconds
 */
public record TrainingTask(
        int batchSize,
        int epochs,
        int firstEpoch,
        int updateInterval,
        long seed,
        Optional<String> worker,
        String description,
        String device,
        OptionalLong deadline) {

    /**
     * Trains until all epochs are done or {@code stop} says so, and leaves the server as it ends.
     *
     * @throws TrainingFailedException for what a retry would meet again
     * @throws IOException when the server stays away
     */
    public TrainingReport run(
            PsClient client,
            NetworkDefinition definition,
            Network network,
            ShardSource.Fetched data,
            BooleanSupplier stop)
            throws IOException, TrainingFailedException {
        DatasetDescription dataset = data.shard().description();
        requireMatch(network, dataset);
        ParameterExchange exchange = new ParameterExchange(
                client,
                new WorkerIdentity(worker, description, device, deadline),
                TensorSet.ofFloats(
                        network.spec().layout(), definition.initialParameters(seed), metadata(network, dataset)));
        TrainingLoop loop = new TrainingLoop(network, exchange, data.shard(), batchSize, updateInterval, stop);
        int whole;
        try {
            whole = loop.run(firstEpoch, epochs, seed);
        } catch (TrainingFailedException failed) {
            // The server is there: it need not wait for the lease to run out, nor the id to be free again.
            exchange.leave();
            throw failed;
        }
        exchange.leave();
        ParameterExchange.Tally tally = exchange.tally();
        return new TrainingReport(
                tally.worker(),
                loop.samples(),
                loop.steps(),
                tally.pushes(),
                tally.stale(),
                tally.duplicates(),
                tally.bytes() + data.bytes(),
                loop.averageLoss(),
                whole,
                tally.version(),
                whole == epochs);
    }

    private static void requireMatch(Network network, DatasetDescription dataset) throws TrainingFailedException {
        List<Integer> shape = network.spec().inputShape();
        if (!shape.equals(dataset.shape())
                || dataset.classes().size() > network.spec().classes()) {
            throw new TrainingFailedException(
                    "%s takes images of %s in %d classes, the dataset %s has %s in %d"
                            .formatted(
                                    network.spec().name(),
                                    shape,
                                    network.spec().classes(),
                                    dataset.name(),
                                    dataset.shape(),
                                    dataset.classes().size()),
                    null);
        }
    }

    /** What whoever serves the model must know to use it: it travels with every version. */
    private Map<String, String> metadata(Network network, DatasetDescription dataset) {
        JsonMapper json = JsonMapper.builder().build();
        Map<String, String> metadata = new TreeMap<>();
        metadata.put("network", network.spec().name());
        metadata.put("dataset", dataset.name());
        metadata.put("seed", Long.toString(seed));
        metadata.put("classes", json.writeValueAsString(dataset.classes()));
        metadata.put(
                "normalization",
                json.writeValueAsString(Map.of(
                        "mean", dataset.normalization().mean(),
                        "std", dataset.normalization().std())));
        return metadata;
    }
}
