package org.fleetgrad.worker.training;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.fleetgrad.client.ParameterServers.InitialSet;
import org.fleetgrad.datasets.shard.DatasetDescription;
import org.fleetgrad.libtorch.Network;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.NetworkName;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.networks.Task;
import org.fleetgrad.protocol.MetadataKeys;
import org.fleetgrad.protocol.partition.PartitionLabel;
import org.fleetgrad.protocol.tensor.TensorSet;

/**
 * The network of a run. The parameter set names it; a worker's own setting counts only for a server that has no parameter set
 * yet. The dataset decides what the name leaves open. Its initial parameters are those of this worker's seed.
 */
record NetworkChoice(NetworkDefinition definition, DatasetDescription dataset, long seed) implements InitialSet {

    /**
     * @param requested the worker's own setting
     * @param served    the network that the server's parameter set names
     * @param seed      of the initial parameters
     * @throws TrainingFailedException if there is no such network here, if it does not fit the dataset, or if the server trains
     *     another one than was requested
     */
    static NetworkChoice of(Optional<String> requested, Optional<String> served, DatasetDescription dataset, long seed)
            throws TrainingFailedException {
        Task task = dataset.schema().task();
        String text = served.or(() -> requested).orElse(Networks.defaultFor(task));
        try {
            NetworkDefinition definition = Networks.named(text, task);
            if (requested.isPresent() && !agrees(requested.get(), definition)) {
                throw new TrainingFailedException(
                        "this worker was told to train the network '%s', the server trains '%s': leave 'network' out, or begin another run"
                                .formatted(requested.get(), text));
            }
            return new NetworkChoice(definition, dataset, seed);
        } catch (IllegalArgumentException unfit) {
            throw new TrainingFailedException(
                    served.isPresent()
                            ? "the server trains a network that does not fit this worker or its dataset %s: %s"
                                    .formatted(dataset.name(), unfit.getMessage())
                            : "the network does not fit the dataset %s: %s"
                                    .formatted(dataset.name(), unfit.getMessage()),
                    unfit);
        }
    }

    /** Options that the setting leaves open agree with any value. */
    private static boolean agrees(String requested, NetworkDefinition definition) {
        NetworkName wanted = NetworkName.parse(requested);
        NetworkName found = NetworkName.parse(definition.spec().name());
        return wanted.base().equals(found.base())
                && wanted.arguments().entrySet().stream()
                        .allMatch(argument -> found.argument(argument.getKey())
                                .filter(argument.getValue()::equals)
                                .isPresent());
    }

    /** The metadata has everything needed to serve the model; it is part of every version. */
    @Override
    public TensorSet own() {
        Map<String, String> metadata = new TreeMap<>(definition.spec().metadata());
        metadata.putAll(DatasetDescription.metadata(dataset.name(), dataset.schema()));
        metadata.put(MetadataKeys.SEED, Long.toString(seed));
        return initial(seed, metadata);
    }

    @Override
    public Optional<TensorSet> like(Map<String, String> metadata) {
        String other = metadata.getOrDefault(MetadataKeys.SEED, "");
        boolean isSame = definition.spec().name().equals(metadata.get(MetadataKeys.NETWORK));
        return isSame && other.matches("-?\\d{1,18}")
                ? Optional.of(initial(Long.parseLong(other), PartitionLabel.without(metadata)))
                : Optional.empty();
    }

    private TensorSet initial(long from, Map<String, String> metadata) {
        return TensorSet.ofFloats(definition.spec().layout(), definition.initialParameters(from), metadata);
    }

    static void requireMatch(Network network, DatasetDescription dataset) throws TrainingFailedException {
        try {
            network.spec()
                    .task()
                    .requireFit(network.spec().name(), dataset.schema().task());
        } catch (IllegalArgumentException unfit) {
            throw new TrainingFailedException(
                    "the dataset %s is another one than the first: %s".formatted(dataset.name(), unfit.getMessage()));
        }
    }
}
