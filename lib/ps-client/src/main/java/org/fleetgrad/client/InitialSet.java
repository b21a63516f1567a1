package org.fleetgrad.client;

import java.util.Map;
import java.util.Optional;
import org.fleetgrad.protocol.tensor.TensorSet;

/** The parameters that a run begins with. */
@FunctionalInterface
public interface InitialSet {

    /** Returns what the caller would begin with, or the parameters that it pulled last. */
    TensorSet own();

    /**
     * Returns what another has begun with, where it can be made here: some of the servers have their partitions, and who
     * was putting them may be dead.
     *
     * @param metadata of the partitions that are there
     */
    default Optional<TensorSet> like(Map<String, String> metadata) {
        return Optional.empty();
    }
}
