package org.fleetgrad.client;

import java.util.List;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.tensor.TensorSet;

/** What a pull can find. */
public sealed interface PullResult {

    /**
     * A parameter set.
     *
     * @param version    the version, which the same bytes state
     * @param parameters the tensors, float32 whatever they travelled as; the caller owns their buffer
     * @param bytes      bytes of the tensors that travelled
     * @param parts      the version of each partition, where several servers have one each; the first is {@code version}
     */
    record Pulled(ParameterVersion version, TensorSet parameters, long bytes, List<ParameterVersion> parts)
            implements PullResult {

        /** One server's answer. */
        public Pulled(ParameterVersion version, TensorSet parameters, long bytes) {
            this(version, parameters, bytes, List.of(version));
        }

        /** Parameters that travelled as they are. */
        public Pulled(ParameterVersion version, TensorSet parameters) {
            this(version, parameters, parameters.layout().byteLength());
        }
    }

    /** Nothing newer than what the caller has. */
    record NotModified() implements PullResult {}

    /** The server has no parameter set yet: whoever has an initial one may put it. */
    record NotInitialized() implements PullResult {}
}
