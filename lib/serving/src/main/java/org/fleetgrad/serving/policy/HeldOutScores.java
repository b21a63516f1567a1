package org.fleetgrad.serving.policy;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.fleetgrad.protocol.HeldOutScore;
import org.fleetgrad.protocol.HeldOutScore.ScoredVersion;
import org.fleetgrad.protocol.ParameterVersion;
import org.jspecify.annotations.Nullable;

/**
 * Stores held-out scores, from any evaluator: those of the last versions that were evaluated. Policies may prefer live scores. Thread-safe.
 */
public final class HeldOutScores {

    /** Maximum number of stored versions; the one received first is evicted first. */
    static final int MAX_STORED = 4096;

    private final Function<ParameterVersion, Optional<HeldOutScore>> live;
    private final Map<ParameterVersion, HeldOutScore> scores = new LinkedHashMap<>();
    private @Nullable ScoredVersion newest;
    private @Nullable ParameterVersion expected;

    /** Makes an empty store; policies decide by held-out scores alone. */
    public HeldOutScores() {
        this(version -> Optional.empty());
    }

    /**
     * Makes an empty store.
     *
     * @param live returns the score of a version by the labels of its own answers, if there are enough: policies decide by it. Called often,
     *     by several threads
     */
    public HeldOutScores(Function<ParameterVersion, Optional<HeldOutScore>> live) {
        this.live = live;
    }

    /** Stores the score of a version. */
    public synchronized void record(ScoredVersion reported) {
        scores.put(reported.version(), reported.score());
        if (scores.size() > MAX_STORED) {
            scores.remove(scores.keySet().iterator().next());
        }
        if (reported.version().equals(expected)) {
            expected = null;
        }
        ScoredVersion present = newest;
        if (present == null || !isNewer(present, reported)) {
            newest = reported;
        }
    }

    private static boolean isNewer(ScoredVersion present, ScoredVersion reported) {
        return present.version().generation().equals(reported.version().generation())
                && present.version().version() > reported.version().version();
    }

    /** Returns the newest version of a generation that was evaluated. */
    public synchronized Optional<ScoredVersion> newest(String generation) {
        return Optional.ofNullable(newest)
                .filter(known -> known.version().generation().equals(generation));
    }

    /** Returns a version's own score; empty if it is not evaluated, or its score was evicted. */
    public synchronized Optional<HeldOutScore> of(ParameterVersion version) {
        return Optional.ofNullable(scores.get(version));
    }

    /** Returns the score by which policies choose: a version's live one if there is one, or else its held-out one. */
    public Optional<HeldOutScore> deciding(ParameterVersion version) {
        return live.apply(version).or(() -> of(version));
    }

    /**
     * Records that a version is being evaluated. It stays held until its score is known: otherwise a fast training would
     * replace each version before the policies know its score.
     */
    public synchronized void expect(ParameterVersion version) {
        expected = version;
    }

    /** Returns the version that is being evaluated. */
    public synchronized Optional<ParameterVersion> expected() {
        return Optional.ofNullable(expected);
    }
}
