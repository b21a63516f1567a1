package org.fleetgrad.datasets.table;

/**
 * Counts different values in bounded memory, exactly while they are few. Of more it keeps those whose hash ends with some zeros, and
 * multiplies (Wegman's adaptive sampling; Flajolet, "On Adaptive Sampling", 1990). Not thread-safe.
 */
final class DistinctCount {

    private static final long OFFSET = 0xcbf29ce484222325L;
    private static final long PRIME = 0x100000001b3L;
    private static final int FIRST_SLOTS = 16;

    private final int most;
    private long[] slots = new long[FIRST_SLOTS];
    private int size;
    private int zeros;

    /**
     * Makes a count of nothing.
     *
     * @param most number of different values that are counted exactly
     */
    DistinctCount(int most) {
        this.most = most;
    }

    /** Returns a hash of a value, never 0. */
    static long hash(String value) {
        long hash = OFFSET;
        for (int i = 0; i < value.length(); i++) {
            hash = (hash ^ value.charAt(i)) * PRIME;
        }
        // FNV alone leaves the low bits to the last character.
        hash ^= hash >>> 32;
        hash *= 0x9e3779b97f4a7c15L;
        hash ^= hash >>> 29;
        return hash == 0 ? 1 : hash;
    }

    /** Adds a value by its hash. */
    void add(long hash) {
        if (Long.numberOfTrailingZeros(hash) < zeros || !put(hash)) {
            return;
        }
        size++;
        while (size > most) {
            zeros++;
            rebuild(slots.length);
        }
        if (2 * size > slots.length) {
            rebuild(2 * slots.length);
        }
    }

    /** Returns the number of different values, about. */
    long count() {
        return (long) size << zeros;
    }

    /** Returns whether the count is exact. */
    boolean isExact() {
        return zeros == 0;
    }

    private boolean put(long hash) {
        int mask = slots.length - 1;
        int slot = (int) (hash >>> 40) & mask;
        while (slots[slot] != 0) {
            if (slots[slot] == hash) {
                return false;
            }
            slot = (slot + 1) & mask;
        }
        slots[slot] = hash;
        return true;
    }

    private void rebuild(int length) {
        long[] old = slots;
        slots = new long[length];
        size = 0;
        for (long hash : old) {
            if (hash != 0 && Long.numberOfTrailingZeros(hash) >= zeros && put(hash)) {
                size++;
            }
        }
    }
}
