package org.fleetgrad.simulation.disk;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The names of a folder: those that a reader sees, and those that would be left after a power loss. */
final class DiskFolder implements DiskEntry {

    private TreeMap<String, DiskEntry> seen = new TreeMap<>();
    private final TreeMap<String, DiskEntry> forced = new TreeMap<>();
    private final List<Change> unforced = new ArrayList<>();

    private interface Change {
        void apply(Map<String, DiskEntry> to);
    }

    Map<String, DiskEntry> entries() {
        return seen;
    }

    @Nullable
    DiskEntry get(String name) {
        return seen.get(name);
    }

    void put(String name, DiskEntry entry) {
        change(to -> to.put(name, entry));
    }

    void remove(String name) {
        change(to -> to.remove(name));
    }

    /** Gives an entry another name, in one step. */
    void rename(String from, String to) {
        DiskEntry entry = Objects.requireNonNull(seen.get(from));
        change(names -> {
            names.remove(from);
            names.put(to, entry);
        });
    }

    private void change(Change change) {
        change.apply(seen);
        unforced.add(change);
    }

    void force() {
        unforced.forEach(change -> change.apply(forced));
        unforced.clear();
    }

    /** Forgets some of the newest changes, in their order, as a file system with a journal of its own does. */
    @Override
    public boolean crash(Random random) {
        int kept = random.nextInt(unforced.size() + 1);
        unforced.subList(0, kept).forEach(change -> change.apply(forced));
        unforced.clear();
        seen = new TreeMap<>(forced);
        boolean isTorn = false;
        for (DiskEntry entry : seen.values()) {
            isTorn |= entry.crash(random);
        }
        return isTorn;
    }
}
