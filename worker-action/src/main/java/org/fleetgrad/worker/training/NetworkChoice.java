package org.fleetgrad.worker.training;

import java.util.Optional;
import org.fleetgrad.datasets.shard.DatasetDescription;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.NetworkName;
import org.fleetgrad.networks.Networks;

/**
 * The network of a run. The parameter set names it; a worker's own setting counts only for a server that has no parameter set
 * yet. The dataset decides what the name leaves open.
 */
final class NetworkChoice {

    private NetworkChoice() {}

    /**
     * @param requested the worker's own setting
     * @param served    the network that the server's parameter set names
     * @throws TrainingFailedException if there is no such network here, if it does not fit the dataset, or if the server trains
     *     another one than was requested
     */
    static NetworkDefinition of(Optional<String> requested, Optional<String> served, DatasetDescription dataset)
            throws TrainingFailedException {
        String text = served.or(() -> requested).orElse(Networks.DEFAULT);
        try {
            NetworkDefinition definition =
                    Networks.named(text, dataset.shape(), dataset.classes().size());
            if (requested.isPresent() && !agrees(requested.get(), definition)) {
                throw new TrainingFailedException(
                        "this worker was told to train the network '%s', the server trains '%s': leave 'network' out, or begin another run"
                                .formatted(requested.get(), text));
            }
            return definition;
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
}
