package org.fleetgrad.ps.parameters;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The values of recent versions as they were served, for rules that compare a gradient's base with what is there now.
 *
 * <p>Kept are those of the last {@code depth} version numbers. Versions that nobody could see, because they were
 * overtaken before they were served, are not among them. Belongs to the applier.
 */
public final class ParameterHistory {

    private final int depth;
    private final NavigableMap<Long, float[]> values = new TreeMap<>();
    private final Deque<float[]> spare = new ArrayDeque<>();

    /**
     * @param depth version numbers, counted back from the newest, that are kept; 0 for none
     */
    public ParameterHistory(int depth) {
        this.depth = depth;
    }

    /** Takes a copy of a version's values, and lets go of those that are too old beside it. */
    public void add(long version, float[] served) {
        if (depth == 0) {
            return;
        }
        Iterator<float[]> tooOld =
                values.headMap(version - depth, true).values().iterator();
        while (tooOld.hasNext()) {
            spare.push(tooOld.next());
            tooOld.remove();
        }
        float[] copy = spare.isEmpty() ? new float[served.length] : spare.pop();
        System.arraycopy(served, 0, copy, 0, served.length);
        values.put(version, copy);
    }

    /** Tells whether a version's values are kept. */
    public boolean has(long version) {
        return values.containsKey(version);
    }

    /** Returns a version's values, which the caller only reads, and only until the next {@link #add}. */
    public float[] at(long version) {
        return Optional.ofNullable(values.get(version)).orElseThrow();
    }

    /** Returns the oldest version number that can be kept while {@code newest} is the newest. */
    public long oldest(long newest) {
        return Math.max(0, newest - depth + 1);
    }

    /** Forgets everything, as when a history begins. */
    public void clear() {
        values.clear();
        spare.clear();
    }

    /** Returns copies of everything that is kept. */
    public NavigableMap<Long, float[]> state() {
        NavigableMap<Long, float[]> copies = new TreeMap<>();
        values.forEach((version, kept) -> copies.put(version, Arrays.copyOf(kept, kept.length)));
        return copies;
    }

    /** Takes over what another history kept. */
    public void restore(Map<Long, float[]> state) {
        clear();
        new TreeMap<>(state).forEach(this::add);
    }
}
