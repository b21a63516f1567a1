package org.fleetgrad.ps.training;

import org.fleetgrad.ps.parameters.ParameterHistory;
import org.fleetgrad.ps.parameters.PublishedParameters;

/**
 * What workers see: the newest version is published, and where the staleness rule asks for the values that a gradient was
 * computed on, those of recent versions are kept. Belongs to the applier.
 */
final class ServedVersions {

    private final TrainingSettings settings;
    private final PublishedParameters published;
    private final ParameterHistory history;

    ServedVersions(TrainingSettings settings, PublishedParameters published) {
        this.settings = settings;
        this.published = published;
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
        publish(first);
    }

    void publish(LiveState now) {
        float[] served = served(now);
        history.add(now.version().version(), served);
        published.publish(now.version(), served);
    }

    /** Keeps the values without serving them: while a journal is done again nobody knows any more which versions were. */
    void remember(LiveState now) {
        if (now.optimizer().needsBase()) {
            history.add(now.version().version(), served(now));
        }
    }

    private float[] served(LiveState now) {
        return now.optimizer().served(now.parameters(), settings.learningRate(now.version()));
    }

    /** Lets those who wait for another version, or for slower workers, look again. */
    void wake() {
        published.wake();
    }
}
