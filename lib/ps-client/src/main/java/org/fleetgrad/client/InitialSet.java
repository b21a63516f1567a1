package org.fleetgrad.client;

import java.util.Map;
import java.util.Optional;
import org.fleetgrad.protocol.tensor.TensorSet;

/** The parameters that a run begins with. */
@FunctionalInterface
public interface InitialSet {

    /** Returns the caller's own initial parameters, or those that it pulled last. */
    TensorSet own();

    /**
     * Returns the initial parameters of another worker, if they can be computed here. Some servers have their
     * partitions already, and the worker that put them may be dead.
     *
     * @param metadata of the partitions that the servers have
     */
    default Optional<TensorSet> like(Map<String, String> metadata) {
        return Optional.empty();
    }
}
