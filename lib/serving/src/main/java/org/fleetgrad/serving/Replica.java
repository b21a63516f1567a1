package org.fleetgrad.serving;

import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.jspecify.annotations.Nullable;

/** A classifier and its version under one lock, so that each answer names the version that computed it. */
final class Replica {

    record Loaded(ParameterVersion version, ModelDescription description) {}

    /** Code that has exclusive use of the classifier. */
    @FunctionalInterface
    interface Use<T> {
        Optional<T> apply(Classifier classifier, Loaded loaded);
    }

    // Fair: otherwise the frequent loads of a fast training could keep predictions waiting.
    private final Lock lock = new ReentrantLock(true);
    private final ServedNetwork network;
    private final Classifier classifier;
    private @Nullable Loaded loaded;

    Replica(ServedNetwork network, Classifier classifier) {
        this.network = network;
        this.classifier = classifier;
    }

    /** Returns the network, which never changes. */
    ServedNetwork network() {
        return network;
    }

    void load(TensorSet parameters, Loaded what) {
        lock.lock();
        try {
            // Until the load succeeds the replica has no version.
            loaded = null;
            classifier.load(parameters);
            loaded = what;
        } finally {
            lock.unlock();
        }
    }

    /** Runs {@code use}, unless no version is loaded. */
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
