package org.fleetgrad.pipeline.channel.socket;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The frames that two neighbouring stages may exchange. Both know them before they connect, so neither trusts a length that
 * the other side states.
 *
 * @param first      index of the stage before the border
 * @param sample     shape of one sample's activations, such as [64, 16, 16]; each dimension 1 or more
 * @param microBatch largest number of samples in a frame, 1 or more
 */
public record Border(int first, List<Integer> sample, int microBatch) {

    /** Space for the header of a frame: the tensor's name, shape and offsets, and the metadata. */
    static final int HEADER_BYTES = 1024;

    public Border {
        sample = List.copyOf(sample);
        if (first < 0 || microBatch < 1 || sample.isEmpty() || sample.stream().anyMatch(side -> side < 1)) {
            throw new IllegalArgumentException(
                    "a border has a stage from 0, samples with dimensions of 1 or more, and 1 or more samples in a frame; it has %d, %s and %d"
                            .formatted(first, sample, microBatch));
        }
        if (valueBytes(sample, microBatch) > Integer.MAX_VALUE - HEADER_BYTES) {
            throw new IllegalArgumentException(
                    "%d samples of %s take %d bytes, more than a frame can have: write a smaller micro-batch"
                            .formatted(microBatch, sample, valueBytes(sample, microBatch)));
        }
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
        return "stage %d to %d: up to %d samples of [%s]"
                .formatted(
                        first,
                        first + 1,
                        microBatch,
                        sample.stream().map(String::valueOf).collect(Collectors.joining(", ")));
    }
}
