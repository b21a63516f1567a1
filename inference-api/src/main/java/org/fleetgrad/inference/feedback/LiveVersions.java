package org.fleetgrad.inference.feedback;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.fleetgrad.protocol.ParameterVersion;
import org.jspecify.annotations.Nullable;

/**
 * The sums of the versions that answered last, each in a numbered slot. Bounded in versions, and in lists of class names, which the versions of a
 * run share. Not thread-safe.
 */
final class LiveVersions {

    /** As many as have a held-out score. */
    static final int MOST_VERSIONS = 4096;
    /** A run has one; more come with other networks. */
    static final int MOST_LISTS = 8;

    private final Map<ParameterVersion, Slot> versions = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<Long, Slot> slots = new HashMap<>();
    private final Map<List<String>, Classes> lists = new LinkedHashMap<>(16, 0.75f, true);
    private long next;

    /**
     * The classes of versions.
     *
     * @param list  name of each; empty where numbers are predicted
     * @param names the same, to look one up: a request has many labels, and answers wait for it
     */
    record Classes(List<String> list, Set<String> names) {}

    /** A version. */
    static final class Slot {
        final long number;
        final ParameterVersion version;
        final Classes classes;
        final boolean isOfClasses;
        private long samples;
        private long right;
        private double absolute;
        private double squared;

        private Slot(long number, ParameterVersion version, Classes classes) {
            this.number = number;
            this.version = version;
            this.classes = classes;
            this.isOfClasses = !classes.list().isEmpty();
        }

        /** Counts the class of a prediction. */
        void count(boolean isRight) {
            samples++;
            right += isRight ? 1 : 0;
        }

        /** Counts the error of a predicted number. */
        void count(double error) {
            samples++;
            absolute += Math.abs(error);
            squared += error * error;
        }

        LiveFigures figures() {
            return new LiveFigures(version, isOfClasses, samples, right, absolute, squared);
        }
    }

    /** Returns the slot of a version that answers now. */
    Slot of(ParameterVersion version, List<String> classes) {
        Slot known = versions.get(version);
        if (known != null && known.classes.list().size() == classes.size()) {
            return known;
        }
        Slot fresh = new Slot(next, version, shared(classes));
        next++;
        remove(versions.put(version, fresh));
        slots.put(fresh.number, fresh);
        if (versions.size() > MOST_VERSIONS) {
            remove(versions.remove(versions.keySet().iterator().next()));
        }
        return fresh;
    }

    private Classes shared(List<String> classes) {
        Classes shared = lists.computeIfAbsent(classes, list -> new Classes(list, Set.copyOf(list)));
        if (lists.size() > MOST_LISTS) {
            Classes gone = lists.remove(lists.keySet().iterator().next());
            versions.values().removeIf(slot -> slot.classes.equals(gone) && slots.remove(slot.number) != null);
        }
        return shared;
    }

    private void remove(@Nullable Slot gone) {
        if (gone != null) {
            slots.remove(gone.number);
        }
    }

    /** Returns a slot by its number; empty if its version is forgotten. */
    Optional<Slot> slot(long number) {
        return Optional.ofNullable(slots.get(number));
    }

    /** Returns a version's figures; empty if it has no feedback. */
    Optional<LiveFigures> figures(ParameterVersion version) {
        Slot known = versions.get(version);
        return known == null || known.samples == 0 ? Optional.empty() : Optional.of(known.figures());
    }

    /** Returns the figures of the versions with feedback that answered last, the last one first. */
    List<LiveFigures> last(int most) {
        List<LiveFigures> all = new ArrayList<>();
        for (Slot slot : versions.values()) {
            if (slot.samples > 0) {
                all.add(slot.figures());
            }
        }
        Collections.reverse(all);
        return List.copyOf(all.subList(0, Math.min(most, all.size())));
    }
}
