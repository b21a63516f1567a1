package org.fleetgrad.serving.batching;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.fleetgrad.protocol.ParameterVersion;

/**
 * What the predictions of each version cost: time in the queue and time of computing, apart. A model that trains has a new
 * version many times a second, so only the {@value #MOST_VERSIONS} that answered last are remembered. Thread-safe.
 */
public final class BatchStatistics implements BatchListener {

    /** The most versions that are remembered. */
    public static final int MOST_VERSIONS = 64;

    /** The most sizes of batches that a version's figures tell apart; others count in the sums only. */
    public static final int MOST_SIZES = 64;

    private final LongSupplier millis;
    private final Map<ParameterVersion, Sums> versions = new LinkedHashMap<>(16, 0.75f, true);
    private long failed;

    /** @param millis the time in milliseconds since 1970 */
    public BatchStatistics(LongSupplier millis) {
        this.millis = millis;
    }

    private static final class Sums {
        private long requests;
        private long images;
        private long batches;
        private long queueNanos;
        private long computeNanos;
        private long batchNanos;
        private long lastMillis;
        private final Map<Integer, BatchSize> sizes = new TreeMap<>();
    }

    /**
     * The figures of a version.
     *
     * @param version      the version
     * @param requests     requests that it answered
     * @param images       samples in them
     * @param batches      batches that it computed
     * @param queueNanos   nanoseconds that the requests waited for their batches, added up
     * @param computeNanos nanoseconds that their batches took, added up over the requests: a batch of two counts twice
     * @param batchNanos   nanoseconds that the batches took, added up over the batches
     * @param lastMillis   time of the last answer in milliseconds since 1970
     * @param sizes        batches by their size
     */
    public record Figures(
            ParameterVersion version,
            long requests,
            long images,
            long batches,
            long queueNanos,
            long computeNanos,
            long batchNanos,
            long lastMillis,
            List<BatchSize> sizes) {

        public Figures {
            sizes = List.copyOf(sizes);
        }

        /** Returns the figures of a version that has answered nothing. */
        public static Figures none(ParameterVersion version) {
            return new Figures(version, 0, 0, 0, 0, 0, 0, 0, List.of());
        }
    }

    /**
     * Batches of one size.
     *
     * @param images samples in each
     * @param count  how many
     * @param nanos  nanoseconds that they took, added up
     */
    public record BatchSize(int images, long count, long nanos) {

        private BatchSize plus(BatchSize other) {
            return new BatchSize(images, count + other.count, nanos + other.nanos);
        }
    }

    @Override
    public synchronized void computed(Optional<ParameterVersion> version, int images, long computeNanos) {
        if (version.isEmpty()) {
            return;
        }
        Sums sums = of(version.get());
        sums.batches++;
        sums.batchNanos += computeNanos;
        if (sums.sizes.size() < MOST_SIZES || sums.sizes.containsKey(images)) {
            sums.sizes.merge(images, new BatchSize(images, 1, computeNanos), BatchSize::plus);
        }
    }

    @Override
    public synchronized void answered(
            Optional<ParameterVersion> version, int images, long queueNanos, long computeNanos) {
        if (version.isEmpty()) {
            failed++;
            return;
        }
        Sums sums = of(version.get());
        sums.requests++;
        sums.images += images;
        sums.queueNanos += queueNanos;
        sums.computeNanos += computeNanos;
        sums.lastMillis = millis.getAsLong();
    }

    private Sums of(ParameterVersion version) {
        Sums sums = versions.computeIfAbsent(version, unknown -> new Sums());
        if (versions.size() > MOST_VERSIONS) {
            // In the order of access: the first was used longest ago.
            versions.remove(versions.keySet().iterator().next());
        }
        return sums;
    }

    /** Returns the figures of the remembered versions; the one that answered last comes last. */
    public synchronized List<Figures> versions() {
        List<Figures> all = new ArrayList<>(versions.size());
        versions.forEach((version, sums) -> all.add(new Figures(
                version,
                sums.requests,
                sums.images,
                sums.batches,
                sums.queueNanos,
                sums.computeNanos,
                sums.batchNanos,
                sums.lastMillis,
                List.copyOf(sums.sizes.values()))));
        return all;
    }

    /** Returns how many requests had no answer, since their version had gone or took other samples. */
    public synchronized long failed() {
        return failed;
    }
}
