package org.fleetgrad.worker.training;

import java.time.Duration;
import java.util.Optional;
import org.fleetgrad.protocol.work.Cursor;

/**
 * The report of an activation.
 *
 * @param worker     the worker's id at the end
 * @param samples    training samples computed
 * @param counted    of these, samples in gradients that the server accepted
 * @param steps      batches computed
 * @param pushes     gradients that the server accepted
 * @param stale      gradients that the server dropped as too old
 * @param duplicates pushes that the server had accepted before
 * @param lostParts  parts of gradients that the lead of several servers accepted, and their own server did not
 * @param bytes      tensor and shard bytes exchanged, both ways
 * @param avgLoss    mean loss over the samples
 * @param epochs     complete passes over a shard
 * @param version    newest version seen
 * @param completed  whether all of the work was done, rather than stopped before
 * @param work       the state of the remaining work: {@code done}, {@code more}, or {@code wait} if others have all of it
 * @param cursor     the position in the server's work where it ended; absent for a shard of the worker's own
 * @param earlier    time since an earlier try of the same activation registered; absent if there was none
 */
public record TrainingReport(
        String worker,
        long samples,
        long counted,
        long steps,
        long pushes,
        long stale,
        long duplicates,
        long lostParts,
        long bytes,
        double avgLoss,
        int epochs,
        long version,
        boolean completed,
        String work,
        Optional<Cursor> cursor,
        Optional<Duration> earlier) {

    static final String DONE = "done";
    static final String MORE = "more";

    /** Takes the counts of an activation. */
    static TrainingReport of(ParameterExchange.Tally tally, TrainingLoop loop, long shardBytes) {
        return new TrainingReport(
                tally.worker(),
                loop.computed().samples(),
                loop.counted(),
                loop.computed().steps(),
                tally.pushes(),
                tally.stale(),
                tally.duplicates(),
                tally.lostParts(),
                tally.bytes() + shardBytes,
                loop.computed().averageLoss(),
                0,
                tally.version(),
                false,
                MORE,
                Optional.empty(),
                Optional.empty());
    }

    /** Returns the report of an activation that found nothing to train on. */
    static TrainingReport idle(String worker) {
        return new TrainingReport(
                worker, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, false, MORE, Optional.empty(), Optional.empty());
    }

    /** Returns the same counts with the activation's end. */
    TrainingReport with(int completedPasses, boolean isCompleted, String left, Optional<Cursor> reached) {
        return new TrainingReport(
                worker,
                samples,
                counted,
                steps,
                pushes,
                stale,
                duplicates,
                lostParts,
                bytes,
                avgLoss,
                completedPasses,
                version,
                isCompleted,
                left,
                reached,
                earlier);
    }

    /** Returns the same counts for an activation that replaced an earlier try of it. */
    TrainingReport after(Optional<Duration> tried) {
        return new TrainingReport(
                worker,
                samples,
                counted,
                steps,
                pushes,
                stale,
                duplicates,
                lostParts,
                bytes,
                avgLoss,
                epochs,
                version,
                completed,
                work,
                cursor,
                tried);
    }
}
