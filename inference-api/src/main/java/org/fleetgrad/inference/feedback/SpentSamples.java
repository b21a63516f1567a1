package org.fleetgrad.inference.feedback;

/**
 * Which predictions had feedback: a bit for each of the newest sequence numbers. So each counts once, exactly, and millions of predictions that
 * wait for their label take a bit each. Not thread-safe.
 */
final class SpentSamples {

    private final long[] words;
    private long next;

    /**
     * Makes the bits.
     *
     * @param bytes memory that they take, 8 or more
     */
    SpentSamples(long bytes) {
        this.words = new long[Math.toIntExact(bytes / Long.BYTES)];
    }

    /** Returns how many of the newest sequence numbers are remembered. */
    long remembered() {
        return (long) words.length * Long.SIZE;
    }

    /** Assigns as many sequence numbers in a row, and returns the first. */
    long assign(int count) {
        long first = next;
        next += count;
        for (long sequence = Math.max(first, next - remembered()); sequence < next; sequence++) {
            words[word(sequence)] &= ~bit(sequence);
        }
        return first;
    }

    /** Returns whether it was assigned, and is still remembered. */
    boolean isRemembered(long sequence) {
        return sequence >= Math.max(0, next - remembered()) && sequence < next;
    }

    /** Returns how many sequence numbers were assigned after this one. */
    long after(long sequence) {
        return next - sequence - 1;
    }

    /** Marks a remembered sequence number; returns whether it was not marked before. */
    boolean spend(long sequence) {
        boolean isFirst = (words[word(sequence)] & bit(sequence)) == 0;
        words[word(sequence)] |= bit(sequence);
        return isFirst;
    }

    private int word(long sequence) {
        return (int) (sequence / Long.SIZE % words.length);
    }

    private static long bit(long sequence) {
        return 1L << (sequence % Long.SIZE);
    }
}
