package org.fleetgrad.serving;

import org.jspecify.annotations.Nullable;

/**
 * Keeps one instance open while consecutive versions are of the same network: most runs train one network, and opening an
 * instance costs far more than loading parameters into it. Confined to one thread.
 */
public final class CachedClassifier implements AutoCloseable {

    private final Classifiers classifiers;
    private @Nullable Opened opened;

    private record Opened(ServedNetwork network, Classifier classifier) {}

    /** Opens nothing before an instance is requested. */
    public CachedClassifier(Classifiers classifiers) {
        this.classifiers = classifiers;
    }

    /**
     * Returns the instance of a network. It is closed when another network is requested.
     *
     * @throws IllegalArgumentException if there is no such network or device
     */
    public Classifier of(ServedNetwork network) {
        Opened before = opened;
        if (before != null && before.network().equals(network)) {
            return before.classifier();
        }
        close();
        Opened now = new Opened(network, classifiers.open(network));
        opened = now;
        return now.classifier();
    }

    /** Closes the instance, if one is open; another may be requested afterwards. */
    @Override
    public void close() {
        Opened last = opened;
        opened = null;
        if (last != null) {
            last.classifier().close();
        }
    }
}
