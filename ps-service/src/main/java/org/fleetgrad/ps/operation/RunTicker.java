package org.fleetgrad.ps.operation;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.ps.events.RunEvents;
import org.fleetgrad.ps.membership.Leases;
import org.fleetgrad.ps.parameters.PublishedParameters;
import org.fleetgrad.ps.progress.TrainingStatistics;
import org.fleetgrad.ps.training.Training;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a few times a second: ends expired leases, re-checks the barrier, and notifies watchers of the progress. */
public final class RunTicker implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RunTicker.class);
    private static final Duration LONGEST_PERIOD = Duration.ofMillis(250);
    private static final int TICKS_PER_LEASE = 4;

    private final Leases leases;
    private final Training training;
    private final PublishedParameters published;
    private final RunEvents events;
    private final Runnable recorder;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread thread = new Thread(work, "ticker");
        thread.setDaemon(true);
        return thread;
    });
    private Optional<ParameterVersion> lastPublished = Optional.empty();

    /**
     * Makes a ticker that is idle until {@link #start}.
     *
     * @param recorder runs at each tick: records the run's figures
     */
    public RunTicker(
            Leases leases, Training training, PublishedParameters published, RunEvents events, Runnable recorder) {
        this.leases = leases;
        this.training = training;
        this.published = published;
        this.events = events;
        this.recorder = recorder;
    }

    public RunTicker start() {
        long period =
                Math.min(LONGEST_PERIOD.toMillis(), Math.max(1, leases.length().toMillis() / TICKS_PER_LEASE));
        ScheduledFuture<?> unused =
                timer.scheduleWithFixedDelay(this::tickSafely, period, period, TimeUnit.MILLISECONDS);
        return this;
    }

    private void tickSafely() {
        try {
            tick();
        } catch (RuntimeException bug) {
            LOG.error("a tick failed", bug);
        }
    }

    void tick() {
        leases.expire().forEach(worker -> {
            LOG.warn("worker {} is gone: its lease of {} ran out", worker.id(), leases.length());
            events.publish("expired", Map.of("worker", worker.id()));
        });
        training.membershipChanged();
        Optional<ParameterVersion> version = published.version();
        if (!version.equals(lastPublished)) {
            lastPublished = version;
            version.ifPresent(this::publishProgress);
        }
        recorder.run();
    }

    private void publishProgress(ParameterVersion version) {
        TrainingStatistics.State counts = training.statistics().state();
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("version", version.version());
        data.put("samples", counts.samples());
        counts.loss().ifPresent(loss -> data.put("loss", loss));
        data.put("worstStaleness", counts.worstStaleness());
        data.put("workers", leases.live().size());
        events.publish("progress", data);
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
