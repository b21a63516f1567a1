package org.fleetgrad.datasets.shard;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.fleetgrad.datasets.ClassNames;
import org.fleetgrad.datasets.Dataset.DatasetName;
import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.files.Sha256;
import org.fleetgrad.protocol.MetadataKeys;
import tools.jackson.databind.json.JsonMapper;

/**
 * The description of a shard: its {@code dataset.json}.
 *
 * @param name          name of the dataset: letters, digits, dots, dashes and underscores
 * @param split         the purpose of the samples
 * @param classes       name of each class, in the order of the labels; 1 to 65,536
 * @param shape         an image's shape: [channels, height, width]
 * @param normalization scaling of the pixels, measured over the training samples of the whole dataset
 * @param range         the samples' range in the split
 * @param sha256        SHA-256 of {@code data.safetensors}
 */
public record DatasetDescription(
        String name,
        Split split,
        List<String> classes,
        List<Integer> shape,
        Normalization normalization,
        SampleRange range,
        String sha256) {

    public DatasetDescription {
        DatasetName.require(name);
        classes = List.copyOf(classes);
        shape = List.copyOf(shape);
        ClassNames.require(classes);
        if (shape.size() != 3 || shape.stream().anyMatch(dimension -> dimension < 1)) {
            throw new IllegalArgumentException("a shape must be [channels, height, width]; it is " + shape);
        }
        int channels = shape.get(0);
        if (normalization.mean().size() != channels) {
            throw new IllegalArgumentException("the normalization has %d channels, the shape %s has %d"
                    .formatted(normalization.mean().size(), shape, channels));
        }
        if (!Sha256.isDigest(sha256)) {
            throw new IllegalArgumentException(
                    "a SHA-256 must have 64 lower-case hexadecimal digits; it is '%s'".formatted(sha256));
        }
    }

    /** The metadata of a parameter set about its training dataset: everything that a server of the model needs. */
    public static final class DatasetMetadata {

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
