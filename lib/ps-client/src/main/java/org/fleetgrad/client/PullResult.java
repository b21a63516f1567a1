package org.fleetgrad.client;

import java.util.List;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.tensor.TensorSet;

/** The result of a pull. */
public sealed interface PullResult {

    /**
     * A parameter set.
     *
     * @param version    the version, as the metadata of the parameters states it
     * @param parameters the tensors, always float32; the caller owns their buffer
     * @param bytes      bytes of the tensors on the wire
     * @param parts      the version of each server's partition; the first is {@code version}
     */
    record Pulled(ParameterVersion version, TensorSet parameters, long bytes, List<ParameterVersion> parts)
            implements PullResult {

        /** One server's response. */
        public Pulled(ParameterVersion version, TensorSet parameters, long bytes) {
            this(version, parameters, bytes, List.of(version));
        }

        /** Parameters that were sent as float32. */
        public Pulled(ParameterVersion version, TensorSet parameters) {
            this(version, parameters, parameters.layout().byteLength());
        }
    }

    /** The caller has the newest version. */
    record NotModified() implements PullResult {}

    /** The server has no parameter set yet: a caller with initial parameters may put them. */
    record NotInitialized() implements PullResult {}
}
