package org.fleetgrad.pipeline.channel.socket;

import java.util.List;
import java.util.stream.Collectors;
import org.fleetgrad.protocol.tensor.TensorSpec;

/**
 * The frames that two stages may exchange over one connection. Both know them before they connect, so neither trusts a length
 * that the other side states.
 *
 * @param name       what crosses it, and between which stages
 * @param sample     shape of one sample's activations, such as [64, 16, 16]; each dimension 1 or more
 * @param microBatch largest number of samples in a frame, 1 or more
 */
public record Border(String name, List<Integer> sample, int microBatch) {

    /** Space for the header of a frame: the tensor's name, shape and offsets, and the metadata. */
    static final int HEADER_BYTES = 1024;

    public Border {
        sample = List.copyOf(sample);
        if (microBatch < 1 || sample.isEmpty() || sample.stream().anyMatch(side -> side < 1)) {
            throw new IllegalArgumentException(
                    "a border has samples with dimensions of 1 or more, and 1 or more samples in a frame; %s has %s and %d"
                            .formatted(name, sample, microBatch));
        }
        if (valueBytes(sample, microBatch) > Integer.MAX_VALUE - HEADER_BYTES) {
            throw new IllegalArgumentException(
                    "%d samples of %s take %d bytes, more than a frame can have: write a smaller micro-batch"
                            .formatted(microBatch, sample, valueBytes(sample, microBatch)));
        }
    }

    /**
     * Returns the border between two neighbouring stages.
     *
     * @param first index of the stage before it
     */
    public static Border after(int first, List<Integer> sample, int microBatch) {
        return new Border("stage %d to %d".formatted(first, first + 1), sample, microBatch);
    }

    /**
     * Returns the border of a tensor that the first stage shares with the last one: a frame has it once.
     *
     * @param last index of the last stage
     */
    public static Border tied(TensorSpec tensor, int last) {
        return new Border(
                "%s of stage 0 and %d".formatted(tensor.name(), last),
                tensor.shape().stream().map(Math::toIntExact).toList(),
                1);
    }

    private static long valueBytes(List<Integer> sample, long samples) {
        long bytes = Float.BYTES * samples;
        for (int side : sample) {
            bytes = Math.multiplyExact(bytes, (long) side);
        }
        return bytes;
    }

    /** Returns the number of bytes of the longest frame. */
    public int frameBytes() {
        return Math.toIntExact(HEADER_BYTES + valueBytes(sample, microBatch));
    }

    /** Describes the border; two stages that agree write the same. */
    public String text() {
        return "%s: up to %d samples of [%s]"
                .formatted(
                        name, microBatch, sample.stream().map(String::valueOf).collect(Collectors.joining(", ")));
    }
}
