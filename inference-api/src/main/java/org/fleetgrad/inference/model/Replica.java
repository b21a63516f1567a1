package org.fleetgrad.inference.model;

import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.jspecify.annotations.Nullable;

/** A classifier with the version that it holds; one lock over both, so that an answer is stamped with what made it. */
final class Replica {

    /** What the classifier holds. */
    record Loaded(ParameterVersion version, ModelDescription description) {}

    /** Uses the classifier while nobody else can. */
    @FunctionalInterface
    interface Use<T> {
        Optional<T> apply(Classifier classifier, Loaded loaded);
    }

    // Fair, or the loads of a fast training would keep predictions out.
    private final Lock lock = new ReentrantLock(true);
    private final Classifier classifier;
    private @Nullable Loaded loaded;

    Replica(Classifier classifier) {
        this.classifier = classifier;
    }

    void load(TensorSet parameters, Loaded what) {
        lock.lock();
        try {
            // Half-loaded parameters are no version.
            loaded = null;
            classifier.load(parameters);
            loaded = what;
        } finally {
            lock.unlock();
        }
    }

    /** Runs {@code use}, unless nothing is loaded. */
    <T> Optional<T> use(Use<T> use) {
        lock.lock();
        try {
            Loaded now = loaded;
            return now == null ? Optional.empty() : use.apply(classifier, now);
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            loaded = null;
            classifier.close();
        } finally {
            lock.unlock();
        }
    }
}
