package org.fleetgrad.inference;

import java.util.Map;
import java.util.TreeMap;
import org.fleetgrad.datasets.RowSchema;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.MetadataKeys;
import org.fleetgrad.protocol.tensor.TensorSet;

/** Parameter sets of networks for tables and series, with initial parameters. */
final class SchemaSets {

    private SchemaSets() {}

    /** Returns the parameter set of a network, which states what its samples are. */
    static TensorSet of(String network, RowSchema schema) {
        NetworkDefinition definition = Networks.named(network, schema.task());
        Map<String, String> metadata = new TreeMap<>(schema.metadata());
        metadata.put(MetadataKeys.NETWORK, definition.spec().name());
        return TensorSet.ofFloats(definition.spec().layout(), definition.initialParameters(3), metadata);
    }
}
