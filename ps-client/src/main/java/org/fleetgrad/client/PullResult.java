package org.fleetgrad.client;

import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.tensor.TensorSet;

/** What a pull can find. */
public sealed interface PullResult {

    /**
     * A parameter set.
     *
     * @param version    the version, which the same bytes state
     * @param parameters the tensors; the caller owns their buffer
     */
    record Pulled(ParameterVersion version, TensorSet parameters) implements PullResult {}

    /** Nothing newer than what the caller has. */
    record NotModified() implements PullResult {}

    /** The server has no parameter set yet: whoever has an initial one may put it. */
    record NotInitialized() implements PullResult {}
}
