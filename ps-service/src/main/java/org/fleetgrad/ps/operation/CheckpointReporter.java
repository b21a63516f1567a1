package org.fleetgrad.ps.operation;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import org.fleetgrad.checkpoints.CheckpointManifest;
import org.fleetgrad.ps.durability.DurableTraining;
import org.fleetgrad.ps.events.RunEvents;
import org.fleetgrad.ps.history.RunHistory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports checkpoints as metrics, events, log lines, and points in the run's time series. */
public record CheckpointReporter(RunEvents events, RunHistory course, Clock clock, MeterRegistry meters)
        implements DurableTraining.Listener {

    private static final Logger LOG = LoggerFactory.getLogger(CheckpointReporter.class);

    @Override
    public void checkpointTaken(CheckpointManifest manifest, Duration took) {
        LOG.info("{} taken: version {}, {} ms", manifest.name(), manifest.version(), took.toMillis());
        meters.timer("ps.checkpoint", "outcome", "taken").record(took);
        course.add(new RunHistory.Checkpoint(clock.millis(), manifest.number(), manifest.version()));
        events.publish("checkpoint", Map.of("checkpoint", manifest.number(), "version", manifest.version()));
    }

    @Override
    public void checkpointFailed(Exception failure) {
        LOG.error("a checkpoint could not be written", failure);
        meters.timer("ps.checkpoint", "outcome", "failed").record(Duration.ZERO);
    }
}
