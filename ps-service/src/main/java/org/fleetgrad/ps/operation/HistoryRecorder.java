package org.fleetgrad.ps.operation;

import java.time.Clock;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.ps.history.RunHistory;
import org.fleetgrad.ps.membership.Leases;
import org.fleetgrad.ps.parameters.PublishedParameters;
import org.fleetgrad.ps.progress.TrainingStatistics;
import org.fleetgrad.ps.training.Training;

/** Adds the current figures to the run's time series and to the advice on workers, at each tick. Confined to the ticker's thread. */
public final class HistoryRecorder implements Runnable {

    private final RunHistory history;
    private final Training training;
    private final PublishedParameters published;
    private final Leases leases;
    private final WantedWorkers wanted;
    private final Clock clock;
    private boolean hasBegun;

    /** Makes a recorder for one process of the server. */
    public HistoryRecorder(
            RunHistory history,
            Training training,
            PublishedParameters published,
            Leases leases,
            WantedWorkers wanted,
            Clock clock) {
        this.history = history;
        this.training = training;
        this.published = published;
        this.leases = leases;
        this.wanted = wanted;
        this.clock = clock;
    }

    @Override
    public void run() {
        published.version().ifPresent(this::record);
        wanted.look(
                clock.millis(),
                training.statistics().state().samples(),
                leases.live().size(),
                training.work().map(work -> work.waiting() + work.leased()).orElse(0L));
    }

    private void record(ParameterVersion version) {
        TrainingStatistics.State counts = training.statistics().state();
        history.add(new RunHistory.Point(
                clock.millis(),
                !hasBegun,
                version.version(),
                counts.samples(),
                counts.loss(),
                counts.gradients(),
                counts.stalenessSum(),
                leases.live().size(),
                counts.pushes()));
        hasBegun = true;
    }
}
