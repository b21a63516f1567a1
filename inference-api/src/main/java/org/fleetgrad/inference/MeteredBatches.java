package org.fleetgrad.inference;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.fleetgrad.inference.shadow.ShadowBudget;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.serving.batching.BatchListener;
import org.fleetgrad.serving.batching.BatchStatistics;

/** Puts the times of predictions into histograms, queue and compute apart, and passes them on. Thread-safe. */
final class MeteredBatches implements BatchListener {

    /** From a request that finds the batcher idle to one that a client has given up. */
    private static final Duration[] BUCKETS = {
        Duration.ofNanos(500_000),
        Duration.ofMillis(1),
        Duration.ofMillis(2),
        Duration.ofMillis(5),
        Duration.ofMillis(10),
        Duration.ofMillis(20),
        Duration.ofMillis(50),
        Duration.ofMillis(100),
        Duration.ofMillis(200),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofSeconds(2),
        Duration.ofSeconds(5)
    };

    private final BatchStatistics statistics;
    private final ShadowBudget shadow;
    private final Timer queue;
    private final Timer compute;

    MeteredBatches(BatchStatistics statistics, ShadowBudget shadow, MeterRegistry metrics) {
        this.statistics = statistics;
        this.shadow = shadow;
        this.queue = timer("inference.queue.time", "Time that a request waited for its batch", metrics);
        this.compute = timer("inference.compute.time", "Time that the computation of a batch took", metrics);
    }

    private static Timer timer(String name, String description, MeterRegistry metrics) {
        return Timer.builder(name)
                .description(description)
                .serviceLevelObjectives(BUCKETS)
                .register(metrics);
    }

    @Override
    public void computed(Optional<ParameterVersion> version, int images, long computeNanos) {
        statistics.computed(version, images, computeNanos);
        shadow.served(images, computeNanos);
        compute.record(computeNanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void answered(Optional<ParameterVersion> version, int images, long queueNanos, long computeNanos) {
        statistics.answered(version, images, queueNanos, computeNanos);
        queue.record(queueNanos, TimeUnit.NANOSECONDS);
    }
}
