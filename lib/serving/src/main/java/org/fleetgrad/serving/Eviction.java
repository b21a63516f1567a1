package org.fleetgrad.serving;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.serving.policy.VersionPolicy;
import org.fleetgrad.serving.policy.VersionPolicy.Candidate;

/**
 * Chooses the held version that makes room for another one. A version that nobody evaluated goes before an evaluated one, so that
 * a person, or a change of the policy, finds versions whose score is known. Of the evaluated ones goes the one that leaves the
 * smallest gap between its neighbors, so that the remaining ones are spaced over the run. The best, the one under evaluation, and
 * the newest few stay as long as there is room.
 *
 * @param held     the held versions, oldest first; one or more
 * @param next     the version that needs the room
 * @param policy   the policy: what it chooses and needs stays before all others
 * @param expected the version under evaluation
 */
record Eviction(List<Candidate> held, Candidate next, VersionPolicy policy, Optional<ParameterVersion> expected) {

    /** One in so many held versions stays because it is new. */
    private static final int NEW_SHARE = 4;

    Eviction {
        held = List.copyOf(held);
    }

    ParameterVersion evicted() {
        List<Candidate> then = new ArrayList<>(held);
        then.add(next);
        Set<ParameterVersion> needed = new HashSet<>(policy.needs(then));
        expected.ifPresent(needed::add);
        // It answers until the next one is loaded.
        Set<ParameterVersion> answering = new HashSet<>(needed);
        policy.choose(held).ifPresent(answering::add);
        Set<ParameterVersion> wanted = new HashSet<>(answering);
        wanted.addAll(new VersionPolicy.Best().needs(then));
        int old = held.size() - Math.max(1, held.size() / NEW_SHARE);
        held.subList(old, held.size()).forEach(one -> wanted.add(one.version()));
        Set<ParameterVersion> chosen = new HashSet<>();
        policy.choose(then).ifPresent(chosen::add);
        return unevaluated(wanted)
                .or(() -> mostCrowded(wanted))
                .or(() -> oldestOutside(answering))
                .or(() -> oldestOutside(needed))
                .or(() -> oldestOutside(chosen))
                .orElse(held.get(0).version());
    }

    /** Finds the oldest without a score; the scores of another generation say nothing. */
    private Optional<ParameterVersion> unevaluated(Set<ParameterVersion> wanted) {
        return held.stream()
                .filter(one -> one.score().isEmpty() || !isOfNewestGeneration(one))
                .map(Candidate::version)
                .filter(version -> !wanted.contains(version))
                .findFirst();
    }

    private boolean isOfNewestGeneration(Candidate one) {
        return one.version().generation().equals(next.version().generation());
    }

    /** Finds the version whose neighbors are closest to each other, the oldest of equal ones. */
    private Optional<ParameterVersion> mostCrowded(Set<ParameterVersion> wanted) {
        Optional<ParameterVersion> found = Optional.empty();
        long smallest = Long.MAX_VALUE;
        for (int i = 0; i < held.size(); i++) {
            ParameterVersion version = held.get(i).version();
            long gap = number(i + 1) - number(i - 1);
            if (!wanted.contains(version) && gap < smallest) {
                smallest = gap;
                found = Optional.of(version);
            }
        }
        return found;
    }

    /** Returns the number of a version; a run begins with 0, and the versions of an earlier one do not count. */
    private long number(int index) {
        if (index >= held.size()) {
            return next.version().version();
        }
        return index < 0 || !isOfNewestGeneration(held.get(index))
                ? 0
                : held.get(index).version().version();
    }

    private Optional<ParameterVersion> oldestOutside(Set<ParameterVersion> kept) {
        return held.stream()
                .map(Candidate::version)
                .filter(version -> !kept.contains(version))
                .findFirst();
    }
}
