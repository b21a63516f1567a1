package org.fleetgrad.worker.training;

/**
 * What an activation did.
 *
 * @param worker     id it was registered under at the end
 * @param samples    training samples computed
 * @param steps      batches computed
 * @param pushes     gradients that the server took
 * @param stale      gradients that the server dropped as too old
 * @param duplicates pushes that turned out to have been taken before
 * @param bytes      tensor and shard bytes exchanged, both ways
 * @param avgLoss    mean loss over the samples
 * @param epochs     whole passes over the shard
 * @param version    newest version seen
 * @param completed  whether all epochs were done, rather than stopped before
 */
public record TrainingReport(
        String worker,
        long samples,
        long steps,
        long pushes,
        long stale,
        long duplicates,
        long bytes,
        double avgLoss,
        int epochs,
        long version,
        boolean completed) {}
