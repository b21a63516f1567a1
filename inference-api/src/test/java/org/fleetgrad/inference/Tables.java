package org.fleetgrad.inference;

import java.util.Map;
import java.util.TreeMap;
import org.fleetgrad.datasets.TableSchema;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.MetadataKeys;
import org.fleetgrad.protocol.tensor.TensorSet;

/** Networks for tables, with initial parameters. */
final class Tables {

    private Tables() {}

    static NetworkDefinition network(TableSchema schema) {
        return Networks.named("tabular?hidden=4", schema.task());
    }

    /** Returns the parameter set of a network for a table, which states its columns. */
    static TensorSet set(TableSchema schema) {
        NetworkDefinition definition = network(schema);
        Map<String, String> metadata = new TreeMap<>(schema.metadata());
        metadata.put(MetadataKeys.NETWORK, definition.spec().name());
        return TensorSet.ofFloats(definition.spec().layout(), definition.initialParameters(3), metadata);
    }
}
