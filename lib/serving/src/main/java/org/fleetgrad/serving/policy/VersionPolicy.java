package org.fleetgrad.serving.policy;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.fleetgrad.protocol.HeldOutScore;
import org.fleetgrad.protocol.ParameterVersion;

/**
 * The rule by which one of the held versions answers the requests that name none. Each rule but {@link Pinned} considers only
 * the newest generation, since its numbers and scores belong to one history. Immutable.
 */
public sealed interface VersionPolicy {

    /**
     * A version that a policy may choose.
     *
     * @param version the version
     * @param score   its own held-out score; absent if it is not evaluated
     */
    record Candidate(ParameterVersion version, Optional<HeldOutScore> score) {}

    /**
     * Chooses a version.
     *
     * @param held the held versions, oldest first
     * @return empty if there is none to choose
     */
    Optional<ParameterVersion> choose(List<Candidate> held);

    /** Returns the versions without which this rule would choose another one: they must stay held. */
    default Set<ParameterVersion> needs(List<Candidate> held) {
        return choose(held).stream().collect(Collectors.toSet());
    }

    /** Returns the text that {@link #valueOf} reads. */
    String text();

    /** The newest version. */
    record Latest() implements VersionPolicy {
        @Override
        public Optional<ParameterVersion> choose(List<Candidate> held) {
            return newest(held).map(Candidate::version);
        }

        @Override
        public String text() {
            return "latest";
        }
    }

    /** The version before the newest; the newest if there is no other. */
    record Previous() implements VersionPolicy {
        @Override
        public Optional<ParameterVersion> choose(List<Candidate> held) {
            List<Candidate> history = ofNewestGeneration(held);
            return history.size() < 2
                    ? new Latest().choose(history)
                    : Optional.of(history.get(history.size() - 2).version());
        }

        @Override
        public String text() {
            return "previous";
        }
    }

    /** The version of the best held-out score, the newest of equal ones; before any is evaluated, the newest. */
    record Best() implements VersionPolicy {
        @Override
        public Optional<ParameterVersion> choose(List<Candidate> held) {
            return best(held).or(() -> newest(held)).map(Candidate::version);
        }

        @Override
        public String text() {
            return "best";
        }
    }

    /**
     * The newest version whose held-out score is close to the best one; before any is evaluated, the newest.
     *
     * @param within largest difference to the best score, 0 to 1: of accuracies, or of a text's losses in nats a token
     */
    record Gate(double within) implements VersionPolicy {

        /** Scores are quotients: 0.97 must pass within 0.01 of 0.98, despite rounding in the last bits. */
        private static final double ROUNDING = 1e-9;

        private static final String RULE =
                "the policy gate takes a difference from 0 to 1, such as gate:0.01, of accuracies, or of a text's losses in nats a token; it is %s";

        public Gate {
            if (!(within >= 0 && within <= 1)) {
                throw new IllegalArgumentException(RULE.formatted(within));
            }
        }

        @Override
        public Optional<ParameterVersion> choose(List<Candidate> held) {
            Optional<Candidate> best = best(held);
            if (best.isEmpty()) {
                return new Latest().choose(held);
            }
            HeldOutScore top = best.get().score().orElseThrow();
            return newest(ofNewestGeneration(held).stream()
                            .filter(version -> version.score()
                                    .filter(score -> score.distanceTo(top) <= within + ROUNDING)
                                    .isPresent())
                            .toList())
                    .map(Candidate::version);
        }

        @Override
        public Set<ParameterVersion> needs(List<Candidate> held) {
            // Without the best version the gate would open wider.
            return Stream.concat(choose(held).stream(), best(held).map(Candidate::version).stream())
                    .collect(Collectors.toSet());
        }

        @Override
        public String text() {
            return "gate:" + within;
        }
    }

    /**
     * One specific version, of any generation; nothing answers before it arrives.
     *
     * @param version the version
     */
    record Pinned(WantedVersion.Named version) implements VersionPolicy {
        @Override
        public Optional<ParameterVersion> choose(List<Candidate> held) {
            return version.among(held.stream().map(Candidate::version).toList());
        }

        @Override
        public String text() {
            return "pinned:" + version;
        }
    }

    /**
     * Reads a policy; Spring calls it for the setting.
     *
     * @throws IllegalArgumentException if the text is not a policy; the message says what is valid
     */
    static VersionPolicy valueOf(String text) {
        int colon = text.indexOf(':');
        String name = colon < 0 ? text : text.substring(0, colon);
        String argument = colon < 0 ? "" : text.substring(colon + 1);
        if (name.equals("gate") && !argument.isEmpty()) {
            return new Gate(difference(argument));
        }
        if (name.equals("pinned") && !argument.isEmpty()) {
            return new Pinned(WantedVersion.parse(argument));
        }
        return switch (text) {
            case "latest" -> new Latest();
            case "previous" -> new Previous();
            case "best" -> new Best();
            default ->
                throw new IllegalArgumentException(
                        "a policy is latest, previous, best, pinned:VERSION such as pinned:12, or gate:DIFFERENCE such as gate:0.01; it is '%s'"
                                .formatted(text));
        };
    }

    private static double difference(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException notANumber) {
            throw new IllegalArgumentException(Gate.RULE.formatted("'" + text + "'"), notANumber);
        }
    }

    private static Optional<Candidate> newest(List<Candidate> held) {
        return held.isEmpty() ? Optional.empty() : Optional.of(held.get(held.size() - 1));
    }

    private static List<Candidate> ofNewestGeneration(List<Candidate> held) {
        return newest(held)
                .map(newest -> held.stream()
                        .filter(one -> one.version()
                                .generation()
                                .equals(newest.version().generation()))
                        .toList())
                .orElse(List.of());
    }

    /** Finds the best score of the newest generation, and of equal ones the newest. */
    private static Optional<Candidate> best(List<Candidate> held) {
        Optional<Candidate> best = Optional.empty();
        for (Candidate next : ofNewestGeneration(held)) {
            Optional<HeldOutScore> known = best.flatMap(Candidate::score);
            boolean isBeaten = known.isPresent()
                    && next.score().filter(known.get()::isBetterThan).isPresent();
            if (next.score().isPresent() && !isBeaten) {
                best = Optional.of(next);
            }
        }
        return best;
    }
}
