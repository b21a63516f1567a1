package org.fleetgrad.worker.training;

import java.time.Duration;
import java.util.Optional;
import org.fleetgrad.protocol.work.Cursor;
import org.fleetgrad.worker.training.TrainingTask.Trained;

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
 * @param spent      what its time went into
 * @param avgLoss    mean loss over the samples
 * @param epochs     complete passes over a shard
 * @param version    newest version seen
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
        SpentTime spent,
        double avgLoss,
        int epochs,
        long version,
        String work,
        Optional<Cursor> cursor,
        Optional<Duration> earlier) {

    static final String DONE = "done";
    static final String MORE = "more";

    /** The shards of an activation: their bytes, and how long they took. */
    record Received(long bytes, long nanos) {}

    static TrainingReport of(
            WorkerRegistration registration,
            Trained trained,
            Received received,
            int epochs,
            String work,
            Optional<Cursor> cursor) {
        ParameterExchange.Tally tally = trained.exchange().tally();
        TrainingLoop loop = trained.loop();
        return new TrainingReport(
                registration.worker(),
                loop.computed().samples(),
                loop.counted(),
                loop.computed().steps(),
                tally.pushes(),
                tally.stale(),
                tally.duplicates(),
                tally.lostParts(),
                tally.bytes() + received.bytes(),
                loop.spent().fetched(received.nanos()),
                loop.computed().averageLoss(),
                epochs,
                tally.version(),
                work,
                cursor,
                registration.earlier());
    }

    /** Returns the report of an activation that found nothing to train on. */
    static TrainingReport idle(WorkerRegistration registration, String work) {
        return new TrainingReport(
                registration.worker(),
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                SpentTime.NONE,
                0,
                0,
                0,
                work,
                Optional.empty(),
                registration.earlier());
    }

    /** Returns whether all of the work was done, rather than stopped before. */
    public boolean completed() {
        return work.equals(DONE);
    }
}
