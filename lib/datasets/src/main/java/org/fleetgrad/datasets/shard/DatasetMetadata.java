package org.fleetgrad.datasets.shard;

import java.util.List;
import java.util.Map;
import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.protocol.MetadataKeys;
import tools.jackson.databind.json.JsonMapper;

/** The metadata of a parameter set about its training dataset: everything that a server of the model needs. */
public final class DatasetMetadata {

    /** The keys of this metadata. */
    public static final List<String> KEYS =
            List.of(MetadataKeys.DATASET, MetadataKeys.CLASSES, MetadataKeys.NORMALIZATION);

    private DatasetMetadata() {}

    /**
     * Encodes the metadata.
     *
     * @param name          of the dataset
     * @param classes       name of each class, in the order of the labels
     * @param normalization scaling of the pixels
     */
    public static Map<String, String> of(String name, List<String> classes, Normalization normalization) {
        JsonMapper json = JsonMapper.shared();
        return Map.of(
                MetadataKeys.DATASET,
                name,
                MetadataKeys.CLASSES,
                json.writeValueAsString(classes),
                MetadataKeys.NORMALIZATION,
                json.writeValueAsString(Map.of("mean", normalization.mean(), "std", normalization.std())));
    }
}
