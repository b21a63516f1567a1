package org.fleetgrad.datasets.shard;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.fleetgrad.datasets.Dataset.DatasetName;
import org.fleetgrad.datasets.ImageSchema;
import org.fleetgrad.datasets.Schema;
import org.fleetgrad.files.Sha256;
import org.fleetgrad.protocol.MetadataKeys;

/**
 * The description of a shard: its {@code dataset.json}.
 *
 * @param name   name of the dataset: letters, digits, dots, dashes and underscores
 * @param split  the purpose of the samples
 * @param schema what the samples are
 * @param range  the samples' range in the split
 * @param sha256 SHA-256 of {@code data.safetensors}
 */
public record DatasetDescription(String name, Split split, Schema schema, SampleRange range, String sha256) {

    public DatasetDescription {
        DatasetName.require(name);
        if (!Sha256.isDigest(sha256)) {
            throw new IllegalArgumentException(
                    "a SHA-256 must have 64 lower-case hexadecimal digits; it is '%s'".formatted(sha256));
        }
    }

    /**
     * Returns the schema of images.
     *
     * @throws IllegalArgumentException if the samples are not images
     */
    public ImageSchema images() {
        if (schema instanceof ImageSchema images) {
            return images;
        }
        throw new IllegalArgumentException("the dataset %s has %s; this needs images".formatted(name, schema.task()));
    }

    /** Returns the metadata of a parameter set that is trained on the dataset: everything that a server of the model needs. */
    public static Map<String, String> metadata(String dataset, Schema schema) {
        Map<String, String> metadata = new TreeMap<>(schema.metadata());
        metadata.put(MetadataKeys.DATASET, dataset);
        return metadata;
    }

    /**
     * Consecutive samples of a split.
     *
     * @param first index of the first sample
     * @param count number of samples, at least 1
     * @param total number of samples of the complete split
     */
    public record SampleRange(int first, int count, int total) {

        public SampleRange {
            if (first < 0 || count < 1 || first > total - count) {
                throw new IllegalArgumentException(
                        "%d samples from %d on are not a range of %d samples".formatted(count, first, total));
            }
        }

        /**
         * Cuts a split into consecutive ranges whose sizes differ by at most one, the larger ranges first.
         *
         * @throws IllegalArgumentException if there is no shard, or there are more shards than samples
         */
        static List<SampleRange> cut(int total, int shards) {
            if (shards < 1 || shards > total) {
                throw new IllegalArgumentException("%d samples cannot be cut into %d shards".formatted(total, shards));
            }
            int size = total / shards;
            int larger = total % shards;
            return IntStream.range(0, shards)
                    .mapToObj(i -> new SampleRange(i * size + Math.min(i, larger), size + (i < larger ? 1 : 0), total))
                    .toList();
        }

        /** Returns the index after the last sample. */
        public int end() {
            return first + count;
        }
    }
}
