package org.fleetgrad.ps.run;

import org.fleetgrad.ps.parameters.ParameterHistory;
import org.fleetgrad.ps.parameters.PublishedParameters;
import org.fleetgrad.ps.progress.TrainingStatistics;
import org.fleetgrad.ps.settings.TrainingSettings;

/**
 * The versions that workers see: publishes the newest version. If the staleness rule needs the values that a gradient was
 * computed on, it also retains those of recent versions. Confined to the applier.
 */
final class ServedVersions {

    private final TrainingSettings settings;
    private final PublishedParameters published;
    private final ParameterHistory history;
    private final TrainingStatistics statistics;

    ServedVersions(TrainingSettings settings, PublishedParameters published, TrainingStatistics statistics) {
        this.settings = settings;
        this.published = published;
        this.statistics = statistics;
        this.history = new ParameterHistory(settings.rule().needsBase() ? settings.history() : 0);
    }

    ParameterHistory history() {
        return history;
    }

    boolean isNewest(LiveState now) {
        return published.version().filter(now.version()::equals).isPresent();
    }

    /** Begins to serve a layout or a generation that was not served before. */
    void begin(LiveState first) {
        published.begin(first.layout(), first.metadata(), first.version().generation());
        // If slow readers of the previous history leave no memory for it, the next commit tries again.
        publish(first);
    }

    void publish(LiveState now) {
        float[] served = served(now);
        if (published.publish(now.version(), served)) {
            history.add(now.version().version(), served);
        }
    }

    /** Retains the values without serving them: a replay does not know which versions were served. */
    void remember(LiveState now) {
        if (now.optimizer().needsBase()) {
            history.add(now.version().version(), served(now));
        }
    }

    private float[] served(LiveState now) {
        return now.optimizer().served(now.parameters(), settings.learningRate(statistics.samplesOfRun()));
    }

    /** Wakes requests that wait for another version, or for slower workers, to re-check. */
    void wake() {
        published.wake();
    }
}
