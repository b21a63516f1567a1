package org.fleetgrad.ps.operation;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.ps.membership.Leases;
import org.fleetgrad.ps.parameters.PublishedParameters;
import org.fleetgrad.ps.training.Training;

/** The metrics that are read from the run whenever somebody asks. */
public final class RunGauges {

    private RunGauges() {}

    /** Registers the gauges of a run. */
    public static void register(Training training, PublishedParameters published, Leases leases, MeterRegistry meters) {
        Gauge.builder("ps.parameters.version", published, RunGauges::versionNumber)
                .description("Steps applied since the run began")
                .register(meters);
        Gauge.builder("ps.workers.active", leases, now -> now.live().size())
                .description("Workers whose lease runs")
                .register(meters);
        Gauge.builder("ps.queue.depth", training, now -> now.applier().queued())
                .description("Submissions that wait for the applier")
                .register(meters);
        Gauge.builder("ps.samples", training, now -> now.statistics().snapshot().samples())
                .description("Training samples in applied gradients")
                .register(meters);
    }

    private static double versionNumber(PublishedParameters published) {
        return published.version().map(ParameterVersion::version).orElse(0L).doubleValue();
    }
}
