package org.fleetgrad.datasets.augment;

import org.fleetgrad.datasets.sampling.SplitMix64;

/**
 * The changes of a shard's images in one epoch. Each depends on seed, epoch and the sample's index in the whole split, so
 * that it is the same whichever worker trains on the sample, in whichever shard and batch. Immutable and thread-safe.
 *
 * @param augmentation the kind of change
 * @param seed         of the run
 * @param epoch        number of the epoch
 * @param firstSample  index, in the whole split, of the shard's first sample
 */
public record ImageChanges(Augmentation augmentation, long seed, long epoch, long firstSample) {

    /** Changes nothing. */
    public static final ImageChanges NONE = new ImageChanges(Augmentation.NONE, 0, 0, 0);

    private static final int OFFSETS = 2 * Augmentation.PADDING + 1;
    private static final int BITS = 24;
    private static final long MASK = (1L << BITS) - 1;

    /** Returns whether images are unchanged. */
    public boolean isNone() {
        return augmentation == Augmentation.NONE;
    }

    /**
     * Draws the change of one image: 64 random bits, for {@link #top}, {@link #left} and {@link #isFlipped}. A number
     * instead of an object, since one is drawn for each image.
     *
     * @param index of the sample in its shard
     */
    public long draw(int index) {
        return SplitMix64.bits(seed, epoch, firstSample + index);
    }

    /** Returns the first row of the crop, 0 to 8; 4 is the unshifted one. */
    public static int top(long draw) {
        return (int) (((draw & MASK) * OFFSETS) >>> BITS);
    }

    /** Returns the first column of the crop, 0 to 8; 4 is the unshifted one. */
    public static int left(long draw) {
        return (int) ((((draw >>> BITS) & MASK) * OFFSETS) >>> BITS);
    }

    /** Returns whether the crop is mirrored left to right. */
    public static boolean isFlipped(long draw) {
        return draw < 0;
    }

    /**
     * Writes, for each position in a line of the changed image, its source position in the line of the image.
     *
     * @param places    receives the source positions, one for each position in the line
     * @param offset    first row or column of the crop, 0 to 8
     * @param isFlipped whether the line is mirrored after the crop
     */
    public static void places(int[] places, int length, int offset, boolean isFlipped) {
        int last = length - 1;
        for (int i = 0; i < length; i++) {
            int place = i + offset - Augmentation.PADDING;
            int within = place < 0 ? -place : place > last ? 2 * last - place : place;
            places[isFlipped ? last - i : i] = within;
        }
    }
}
