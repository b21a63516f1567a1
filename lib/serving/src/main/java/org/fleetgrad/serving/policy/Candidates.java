package org.fleetgrad.serving.policy;

import java.util.List;
import java.util.Optional;

/** Searches lists of held versions, oldest first. */
final class Candidates {

    private Candidates() {}

    static Optional<Candidate> newest(List<Candidate> held) {
        return held.isEmpty() ? Optional.empty() : Optional.of(held.get(held.size() - 1));
    }

    static List<Candidate> ofNewestGeneration(List<Candidate> held) {
        return newest(held)
                .map(newest -> held.stream()
                        .filter(one -> one.version()
                                .generation()
                                .equals(newest.version().generation()))
                        .toList())
                .orElse(List.of());
    }

    /** Finds the highest accuracy of the newest generation, and of equal ones the newest. */
    static Optional<Candidate> best(List<Candidate> held) {
        Optional<Candidate> best = Optional.empty();
        for (Candidate next : ofNewestGeneration(held)) {
            if (next.accuracy().isPresent()
                    && (best.isEmpty()
                            || next.accuracy().getAsDouble()
                                    >= best.get().accuracy().orElseThrow())) {
                best = Optional.of(next);
            }
        }
        return best;
    }
}
