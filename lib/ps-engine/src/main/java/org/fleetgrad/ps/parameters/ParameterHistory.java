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
 * The values of recent versions as they were served, for rules that compare a gradient's base with the current values.
 *
 * <p>It retains the last {@code depth} version numbers. A version that was never served, because the next step came
 * first, has no values here. Confined to the applier.
 */
public final class ParameterHistory {

    private final int depth;
    private final NavigableMap<Long, float[]> values = new TreeMap<>();
    private final Deque<float[]> spare = new ArrayDeque<>();

    /**
     * @param depth how many version numbers to retain, counted back from the newest
     */
    public ParameterHistory(int depth) {
        this.depth = depth;
    }

    /** Retains a copy of a version's values and evicts the versions that are now too old. */
    public void add(long version, float[] served) {
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

    /** Tells whether a version's values are retained. */
    public boolean has(long version) {
        return values.containsKey(version);
    }

    /** Returns a version's values; the caller only reads them, and only until the next {@link #add}. */
    public float[] at(long version) {
        return Optional.ofNullable(values.get(version)).orElseThrow();
    }

    /** Returns the oldest version number that can be retained while {@code newest} is the newest. */
    public long oldest(long newest) {
        return Math.max(0, newest - depth + 1);
    }

    /** Forgets everything; called when a history begins. */
    public void clear() {
        values.clear();
        spare.clear();
    }

    /** Returns copies of everything that is retained. */
    public NavigableMap<Long, float[]> state() {
        NavigableMap<Long, float[]> copies = new TreeMap<>();
        values.forEach((version, kept) -> copies.put(version, Arrays.copyOf(kept, kept.length)));
        return copies;
    }

    /** Restores the values of another history. */
    public void restore(Map<Long, float[]> state) {
        clear();
        new TreeMap<>(state).forEach(this::add);
    }
}
