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
import org.fleetgrad.serving.PredictionResult;
import org.fleetgrad.serving.SampleForm;
import org.jspecify.annotations.Nullable;

/**
 * Answers with a reader of the tensors that are being trained: nothing is copied.
 *
 * <p>Interleaved, batches, loads and answers share one fair lock: a request that is waiting when a batch ends is answered
 * before the next batch, and a later one waits for the end of that batch. So each answer is of one version, and neither
 * side can starve the other. While the training waits for the server, answers wait for nothing.
 *
 * <p>Live, the training never waits for an answer; answers wait for each other and for {@link #retire}. The training may
 * load at the same time: an answer may be torn, computed with some values of one version and some of a later one. Each
 * answer says whether a load overlapped.
 */
final class TrainedTensorsPredictor implements ColocatedPredictor {

    private final boolean isInterleaved;

    /** Fair. It is held to compute an answer, to close a reader and, if interleaved, by the training. */
    private final Lock lock = new ReentrantLock(true);

    private volatile @Nullable ParameterVersion begun;
    private volatile @Nullable LiveVersion live;
    private volatile String absence = "no parameters were loaded yet";

    /** @param isInterleaved whether the training takes the lock; otherwise live */
    TrainedTensorsPredictor(boolean isInterleaved) {
        this.isInterleaved = isInterleaved;
    }

    @Override
    public void load(Network trained, TensorSet parameters, TensorSet described) {
        begun = ParameterVersion.of(parameters.metadata()).orElse(null);
        beginTraining();
        try {
            trained.load(parameters);
            read(trained, described);
        } finally {
            endTraining();
        }
    }

    /** From now on answers with what was just loaded; with parameters that cannot be served, nothing is answered. */
    private void read(Network trained, TensorSet parameters) {
        try {
            live = LiveVersion.of(live, trained, parameters);
        } catch (IllegalArgumentException unfit) {
            retire();
            absence = "the parameters cannot be served: " + unfit.getMessage();
        }
    }

    @Override
    public <T> T compute(Supplier<T> batch) {
        beginTraining();
        try {
            return batch.get();
        } finally {
            endTraining();
        }
    }

    private void beginTraining() {
        if (isInterleaved) {
            lock.lock();
        }
    }

    private void endTraining() {
        if (isInterleaved) {
            lock.unlock();
        }
    }

    @Override
    public void retire() {
        lock.lock();
        try {
            LiveVersion last = live;
            live = null;
            if (last != null) {
                last.reader().close();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Optional<SampleForm> form() {
        return Optional.ofNullable(live).map(LiveVersion::form);
    }

    @Override
    public Optional<ParameterVersion> version() {
        return Optional.ofNullable(live).map(LiveVersion::version);
    }

    @Override
    public String absence() {
        return absence;
    }

    @Override
    public Optional<Response> classify(Images images) {
        lock.lock();
        try {
            LiveVersion current = live;
            if (current == null) {
                return Optional.empty();
            }
            Optional<PredictionResult> result = current.classify(images);
            // Read last: a load that began before the last pass ended is visible by now.
            ParameterVersion newest = begun;
            long until = newest == null ? current.version().version() : newest.version();
            return result.map(
                    known -> new Response(known, isInterleaved ? OptionalLong.empty() : OptionalLong.of(until)));
        } finally {
            lock.unlock();
        }
    }
}
