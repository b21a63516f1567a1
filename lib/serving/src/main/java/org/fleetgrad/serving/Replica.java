package org.fleetgrad.serving;

import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.fleetgrad.datasets.text.Tokenizer;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.jspecify.annotations.Nullable;

/** A classifier and its version under one lock, so that each answer names the version that computed it. */
final class Replica {

    /**
     * What a replica has loaded.
     *
     * @param bytes of the parameters
     */
    record Loaded(ParameterVersion version, ModelDescription description, long bytes) {}

    /** Code that has exclusive use of the classifier. */
    @FunctionalInterface
    interface Use<T> {
        Optional<T> apply(Classifier classifier, Loaded loaded);
    }

    // Fair: otherwise the frequent loads of a fast training could keep predictions waiting.
    private final Lock lock = new ReentrantLock(true);
    private final ServedNetwork network;
    private final Classifier classifier;
    private volatile @Nullable Loaded loaded;

    // Guarded by this: a lease must not wait for a prediction.
    private int leases;
    private boolean isRetired;

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
        synchronized (this) {
            isRetired = false;
        }
    }

    /** Leases a version with its tokenizer, unless another one is loaded or will be. */
    Optional<VersionLease> lease(ParameterVersion version, Optional<Tokenizer> tokenizer) {
        Loaded now;
        synchronized (this) {
            now = loaded;
            if (isRetired || now == null || !now.version().equals(version)) {
                return Optional.empty();
            }
            leases++;
        }
        return Optional.of(new VersionLease(this, now, tokenizer, classifier.decoders()));
    }

    /** Ends a lease; the last one closes a retired replica. */
    void release() {
        boolean isLast;
        synchronized (this) {
            leases--;
            isLast = isRetired && leases == 0;
        }
        if (isLast) {
            close();
        }
    }

    /**
     * Gives out no further lease.
     *
     * @return whether there is none, so that another version may be loaded; otherwise the last lease closes the replica
     */
    synchronized boolean retire() {
        isRetired = true;
        return leases == 0;
    }

    /** Closes the replica, once nobody leases it. */
    void closeWhenFree() {
        if (retire()) {
            close();
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
