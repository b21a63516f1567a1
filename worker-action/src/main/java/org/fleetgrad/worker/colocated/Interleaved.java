package org.fleetgrad.worker.colocated;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.fleetgrad.libtorch.Network;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.serving.Images;
import org.fleetgrad.serving.ServedNetwork;
import org.jspecify.annotations.Nullable;

/**
 * Answers between two batches. Batches, loads and answers take turns at one fair lock: an answer that waits when a batch ends
 * comes before the next batch, and an answer that comes later waits for its end. So each answer is of one version, nothing is
 * copied, and neither side can starve the other. While the training waits for the server, answers wait for nothing.
 */
final class Interleaved implements Answering {

    private final Lock turn = new ReentrantLock(true);
    /** Written with the turn only. */
    private volatile @Nullable Reading reading;

    private volatile String absence = "no parameters were loaded yet";

    @Override
    public void load(Network trained, TensorSet parameters) {
        turn.lock();
        try {
            trained.load(parameters);
            read(trained, parameters);
        } finally {
            turn.unlock();
        }
    }

    private void read(Network trained, TensorSet parameters) {
        try {
            reading = Reading.of(reading, trained, parameters);
        } catch (IllegalArgumentException unfit) {
            forget();
            absence = "the parameters cannot be served: " + unfit.getMessage();
        }
    }

    @Override
    public <T> T compute(Supplier<T> batch) {
        turn.lock();
        try {
            return batch.get();
        } finally {
            turn.unlock();
        }
    }

    @Override
    public void retire() {
        turn.lock();
        try {
            forget();
        } finally {
            turn.unlock();
        }
    }

    private void forget() {
        Reading last = reading;
        reading = null;
        if (last != null) {
            last.reader().close();
        }
    }

    @Override
    public Optional<ServedNetwork> network() {
        return Optional.ofNullable(reading).map(Reading::network);
    }

    @Override
    public Optional<ParameterVersion> version() {
        return Optional.ofNullable(reading).map(Reading::version);
    }

    @Override
    public String absence() {
        return absence;
    }

    @Override
    public Optional<Answer> classify(Images images) {
        turn.lock();
        try {
            return Optional.ofNullable(reading)
                    .flatMap(now -> now.classify(images)
                            .map(scores -> new Answer(now.network().name(), scores, OptionalLong.empty())));
        } finally {
            turn.unlock();
        }
    }
}
