package org.fleetgrad.protocol.partition;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.fleetgrad.files.text.Printable;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSpec;

/**
 * The metadata of a partition.
 *
 * @param index  its number, from 0
 * @param count  number of partitions
 * @param origin digest of the parameter set that was split when the run began: parts of different sets never fit
 *     together
 * @param whole  layout of the complete set
 */
public record PartitionLabel(int index, int count, String origin, TensorLayout whole) {

    /** Metadata key of the partition's number, such as {@code 1/3}. */
    public static final String PARTITION = "partition";

    /** Metadata key of the digest of the set that was split when the run began; a joined set retains it. */
    public static final String ORIGIN = "partition-origin";

    /** Metadata key of the layout of the complete set, one line for each tensor. */
    public static final String WHOLE = "partition-layout";

    private static final int MAX_PARTITIONS = 1024;

    /** Checks the numbers. */
    public PartitionLabel {
        if (count < 1 || count > MAX_PARTITIONS || index < 0 || index >= count) {
            throw new IllegalArgumentException(
                    "there is no partition %d of %d: the first is 0, and there are at most %d"
                            .formatted(index, count, MAX_PARTITIONS));
        }
    }

    /** Returns whether a set is a partition of a larger one. */
    public static boolean isIn(Map<String, String> metadata) {
        return metadata.containsKey(PARTITION);
    }

    /**
     * Returns the metadata of the complete set: that of the partition, without the partition's own keys but with its
     * origin.
     */
    static Map<String, String> withoutPlace(Map<String, String> metadata) {
        Map<String, String> rest = new TreeMap<>(metadata);
        rest.keySet().removeAll(List.of(PARTITION, WHOLE));
        return rest;
    }

    /** Returns metadata without any key of partitions, not even the origin: a set with it begins another run. */
    public static Map<String, String> without(Map<String, String> metadata) {
        Map<String, String> rest = withoutPlace(metadata);
        rest.remove(ORIGIN);
        return rest;
    }

    /** Computes the digest of a set: the first half of the SHA-256 over its layout and its bytes. */
    public static String origin(TensorLayout whole, ByteBuffer data) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(text(whole).getBytes(StandardCharsets.UTF_8));
            digest.update(data.duplicate());
            return HexFormat.of().formatHex(Arrays.copyOf(digest.digest(), 16));
        } catch (NoSuchAlgorithmException absent) {
            throw new IllegalStateException("every JDK has SHA-256", absent);
        }
    }

    /** Writes the label as the strings of a safetensors header. */
    public Map<String, String> toMap() {
        return Map.of(PARTITION, index + "/" + count, ORIGIN, origin, WHOLE, text(whole));
    }

    /**
     * Reads a label.
     *
     * @throws IllegalArgumentException when this is not the metadata of a partition; the message says what is missing
     */
    public static PartitionLabel of(Map<String, String> metadata) {
        String[] place = required(metadata, PARTITION).split("/", -1);
        if (place.length != 2 || !place[0].matches("\\d{1,4}") || !place[1].matches("\\d{1,4}")) {
            throw new IllegalArgumentException(Printable.text(
                    "the metadata '%s' must be like 1/3; it is '%s'".formatted(PARTITION, metadata.get(PARTITION))));
        }
        return new PartitionLabel(
                Integer.parseInt(place[0]),
                Integer.parseInt(place[1]),
                required(metadata, ORIGIN),
                layout(required(metadata, WHOLE)));
    }

    /** Checks that all partitions are of one set, partitioned alike. */
    static void requireOfOne(List<PartitionLabel> labels) {
        PartitionLabel first = labels.get(0);
        for (PartitionLabel label : labels) {
            if (label.count() != first.count()
                    || !label.origin().equals(first.origin())
                    || !label.whole().equals(first.whole())) {
                throw new IllegalArgumentException(
                        Printable.text("these are partitions of different parameter sets: %s; write those of one run"
                                .formatted(describe(labels))));
            }
        }
    }

    static String describe(List<PartitionLabel> labels) {
        return labels.stream().map(PartitionLabel::toString).collect(Collectors.joining(", "));
    }

    private static String required(Map<String, String> metadata, String key) {
        return Optional.ofNullable(metadata.get(key))
                .orElseThrow(() -> new IllegalArgumentException(
                        "the set is not a partition of a parameter set: its metadata lacks '%s'".formatted(key)));
    }

    /** One line for each tensor, the shape first: a name may hold anything but a line break. */
    private static String text(TensorLayout layout) {
        return layout.specs().stream().map(PartitionLabel::line).collect(Collectors.joining("\n"));
    }

    private static String line(TensorSpec spec) {
        if (spec.name().indexOf('\n') >= 0) {
            throw new IllegalArgumentException(Printable.text(
                    "a tensor whose name has a line break is not partitioned: '%s'".formatted(spec.name())));
        }
        return spec.shape().stream().map(String::valueOf).collect(Collectors.joining("x")) + " " + spec.name();
    }

    private static TensorLayout layout(String text) {
        return TensorLayout.canonical(
                Arrays.stream(text.split("\n", -1)).map(PartitionLabel::spec).toList());
    }

    private static TensorSpec spec(String line) {
        int space = line.indexOf(' ');
        String shape = space < 0 ? "?" : line.substring(0, space);
        if (!shape.matches("(\\d{1,18}(x\\d{1,18})*)?") || space + 1 == line.length()) {
            throw new IllegalArgumentException(
                    Printable.text("a line of the metadata '%s' must be like '500x120 fc1.weight'; it is '%s'"
                            .formatted(WHOLE, line)));
        }
        long[] dimensions = shape.isEmpty()
                ? new long[0]
                : Arrays.stream(shape.split("x", -1)).mapToLong(Long::parseLong).toArray();
        return TensorSpec.f32(line.substring(space + 1), dimensions);
    }

    @Override
    public String toString() {
        return "%d/%d of %s".formatted(index, count, origin);
    }
}
