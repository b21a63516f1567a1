package org.fleetgrad.worker.colocated;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.fleetgrad.libtorch.Network;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.serving.Classification;
import org.fleetgrad.serving.Images;
import org.fleetgrad.serving.ServedNetwork;
import org.jspecify.annotations.Nullable;

/**
 * Answers with the very tensors that are trained. Nothing keeps the training from loading meanwhile: an answer may be torn,
 * computed with some values of one version and some of a later one. Each answer says whether a load came between.
 */
final class LiveTensors implements Answering {

    /** Answers wait for each other and for {@link #retire}; the training never waits for an answer. */
    private final Lock answers = new ReentrantLock(true);

    private volatile @Nullable Reading reading;
    private volatile @Nullable ParameterVersion begun;
    private volatile String absence = "no parameters were loaded yet";

    @Override
    public void load(Network trained, TensorSet parameters) {
        begun = ParameterVersion.of(parameters.metadata()).orElse(null);
        trained.load(parameters);
        try {
            reading = Reading.of(reading, trained, parameters);
        } catch (IllegalArgumentException unfit) {
            retire();
            absence = "the parameters cannot be served: " + unfit.getMessage();
        }
    }

    @Override
    public <T> T compute(Supplier<T> batch) {
        return batch.get();
    }

    @Override
    public void retire() {
        answers.lock();
        try {
            Reading last = reading;
            reading = null;
            if (last != null) {
                last.reader().close();
            }
        } finally {
            answers.unlock();
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
        answers.lock();
        try {
            Reading now = reading;
            if (now == null) {
                return Optional.empty();
            }
            Optional<Classification> scores = now.classify(images);
            // Read last: a load that began before the last pass ended is known by now.
            ParameterVersion newest = begun;
            long until = newest == null ? now.version().version() : newest.version();
            return scores.map(known -> new Answer(now.network().name(), known, OptionalLong.of(until)));
        } finally {
            answers.unlock();
        }
    }
}
