package org.fleetgrad.simulation.disk;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** The bytes of a file: what a reader sees, and what would be left after a power loss. */
final class DiskFile implements DiskEntry {

    private Bytes seen = new Bytes();
    private final Bytes forced = new Bytes();
    private final List<Change> unforced = new ArrayList<>();
    private boolean isLocked;

    /** Bytes that grow. */
    private static final class Bytes {
        private byte[] bytes = {};
        private int size;

        void write(int at, byte[] data, int count) {
            int end = at + count;
            if (end > bytes.length) {
                bytes = Arrays.copyOf(bytes, Math.max(end, 2 * bytes.length));
            }
            System.arraycopy(data, 0, bytes, at, count);
            size = Math.max(size, end);
        }

        void truncate(int to) {
            if (to < size) {
                Arrays.fill(bytes, to, size, (byte) 0);
                size = to;
            }
        }
    }

    /** A write, or with no data the end at which the file was cut. */
    private record Change(int at, byte[] data, boolean isCut) {
        void apply(Bytes to, int count) {
            if (isCut) {
                to.truncate(at);
            } else {
                to.write(at, data, count);
            }
        }

        void apply(Bytes to) {
            apply(to, data.length);
        }
    }

    int size() {
        return seen.size;
    }

    int read(int at, byte[] target, int offset, int count) {
        int n = Math.min(count, seen.size - at);
        if (n > 0) {
            System.arraycopy(seen.bytes, at, target, offset, n);
        }
        return n;
    }

    void write(int at, byte[] data) {
        change(new Change(at, data, false));
    }

    void truncate(int to) {
        change(new Change(to, new byte[0], true));
    }

    private void change(Change change) {
        change.apply(seen);
        unforced.add(change);
    }

    void force() {
        unforced.forEach(change -> change.apply(forced));
        unforced.clear();
    }

    boolean lock() {
        boolean isFree = !isLocked;
        isLocked = true;
        return isFree;
    }

    void unlock() {
        isLocked = false;
    }

    /** Forgets some of what was not forced: of the first change that is lost, a beginning may be there. */
    @Override
    public boolean crash(Random random) {
        isLocked = false;
        boolean isTorn = false;
        if (!unforced.isEmpty()) {
            int kept = random.nextInt(unforced.size() + 1);
            unforced.subList(0, kept).forEach(change -> change.apply(forced));
            if (kept < unforced.size()) {
                Change torn = unforced.get(kept);
                int count = torn.data().length == 0 ? 0 : random.nextInt(torn.data().length);
                if (!torn.isCut() && count > 0) {
                    torn.apply(forced, count);
                    isTorn = true;
                }
            }
            unforced.clear();
        }
        seen = new Bytes();
        seen.write(0, forced.bytes, forced.size);
        return isTorn;
    }
}
