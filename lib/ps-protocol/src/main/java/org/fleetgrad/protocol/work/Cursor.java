package org.fleetgrad.protocol.work;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.fleetgrad.files.text.Printable;

/**
 * A position in the work: the number of samples of a shard that are done in an epoch, in that epoch's order. Immutable.
 *
 * @param epoch  pass over the dataset, from 0 to {@link WorkPlan#MAX_EPOCHS}
 * @param shard  index of the shard in the dataset's list, from 0, less than {@link WorkPlan#MAX_SHARDS}
 * @param sample samples of the shard that are done, from 0 to all of them
 */
public record Cursor(long epoch, int shard, long sample) {

    /** More than 18 digits would be more than 63 bits. */
    private static final Pattern FORM = Pattern.compile("(\\d{1,18})/(\\d{1,9})/(\\d{1,18})");

    /** Checks that no number is negative or exceeds the limits of a plan. */
    public Cursor {
        if (epoch < 0 || shard < 0 || sample < 0) {
            throw new IllegalArgumentException(
                    "a cursor's numbers are 0 or more; these are %d/%d/%d".formatted(epoch, shard, sample));
        }
        if (epoch > WorkPlan.MAX_EPOCHS || shard >= WorkPlan.MAX_SHARDS || sample > WorkPlan.MAX_SAMPLES) {
            throw new IllegalArgumentException("a cursor is at most %d/%d/%d; this is %d/%d/%d"
                    .formatted(
                            WorkPlan.MAX_EPOCHS, WorkPlan.MAX_SHARDS - 1, WorkPlan.MAX_SAMPLES, epoch, shard, sample));
        }
    }

    /** Returns the position in the same shard and epoch, {@code samples} further on. */
    public Cursor plus(long samples) {
        return new Cursor(epoch, shard, Math.addExact(sample, samples));
    }

    /** Returns whether both positions lie in one shard of one epoch. */
    public boolean isInShardOf(Cursor other) {
        return epoch == other.epoch && shard == other.shard;
    }

    /**
     * Reads what {@link #toString} writes.
     *
     * @throws IllegalArgumentException when the text is of another form; the message quotes it
     */
    public static Cursor parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    Printable.text("a cursor is epoch/shard/sample, like 0/3/640; this is '%s'".formatted(text)));
        }
        return new Cursor(number(matcher, 1), (int) number(matcher, 2), number(matcher, 3));
    }

    private static long number(Matcher matcher, int group) {
        return Long.parseLong(Optional.ofNullable(matcher.group(group)).orElseThrow());
    }

    /** Writes it as {@code epoch/shard/sample}. */
    @Override
    public String toString() {
        return epoch + "/" + shard + "/" + sample;
    }
}
