package org.fleetgrad.ps.durability;

import java.io.Closeable;
import java.io.IOException;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.fleetgrad.checkpoints.BestVersion;
import org.fleetgrad.checkpoints.CheckpointLocation;
import org.fleetgrad.protocol.HeldOutScore.ScoredVersion;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.ps.evaluation.Evaluations.HeldOutResult;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the parameters of the best version that was ever evaluated in this location, across restarts, rollbacks and generations.
 *
 * <p>Training has long gone on when the evaluation of a version arrives, so whoever evaluated it sends its parameters, if they are
 * wanted. What is kept is the best of those that arrived. Thread-safe; calls wait for the disk.
 */
public final class KeptBest implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(KeptBest.class);

    /** Evaluations whose parameters may still come: one for each evaluator, more than a run has. */
    private static final int MAX_AWAITED = 64;

    private final Optional<BestVersion> stored;
    private final Clock clock;
    private final Function<HeldOutResult, Map<String, String>> notes;
    private final Map<ParameterVersion, HeldOutResult> awaited = new LinkedHashMap<>();
    private Optional<ScoredVersion> kept = Optional.empty();
    private boolean isKnown;

    /**
     * @param checkpoints the location of the run's checkpoints; empty if nothing survives a restart, and nothing is kept
     * @param notes       makes the strings for people that go into the manifest
     */
    public KeptBest(
            Optional<CheckpointLocation> checkpoints, Clock clock, Function<HeldOutResult, Map<String, String>> notes) {
        this.stored = checkpoints.map(BestVersion::of);
        this.clock = clock;
        this.notes = notes;
    }

    /** Returns whether the parameters of an evaluated version are wanted: it is no worse than the one that is kept. */
    public synchronized boolean wants(HeldOutResult evaluation) {
        if (stored.isEmpty()) {
            return false;
        }
        try {
            if (!isBest(stored.get(), evaluation)) {
                return false;
            }
        } catch (IOException | RuntimeException unreadable) {
            LOG.warn("the best version cannot be read, so no other one is kept: {}", unreadable.toString());
            return false;
        }
        awaited.put(evaluation.version(), evaluation);
        if (awaited.size() > MAX_AWAITED) {
            awaited.remove(awaited.keySet().iterator().next());
        }
        return true;
    }

    /**
     * Keeps the parameters of a version in place of the best one before, unless a better one came meanwhile. When this returns
     * true, they are on the disk.
     *
     * @throws IOException if they could not be written; the one before is still kept
     */
    public synchronized boolean keep(ParameterVersion version, TensorSet parameters) throws IOException {
        @Nullable HeldOutResult evaluation = awaited.remove(version);
        if (stored.isEmpty() || evaluation == null || !isBest(stored.get(), evaluation)) {
            return false;
        }
        ScoredVersion best = new ScoredVersion(version, evaluation.score());
        // If the write fails, only the disk knows which is the best.
        isKnown = false;
        stored.get().replace(best, clock.instant(), notes.apply(evaluation), parameters);
        kept = Optional.of(best);
        isKnown = true;
        return true;
    }

    /** Of equally good versions the later one is the best, as in {@link org.fleetgrad.ps.evaluation.Evaluations}. */
    private boolean isBest(BestVersion best, HeldOutResult evaluation) throws IOException {
        if (!isKnown) {
            kept = best.newest().flatMap(BestVersion.Best::scored);
            isKnown = true;
        }
        return kept.filter(before -> before.score().isBetterThan(evaluation.score())
                        || before.version().equals(evaluation.version()))
                .isEmpty();
    }

    @Override
    public void close() throws IOException {
        if (stored.isPresent()) {
            stored.get().close();
        }
    }
}
