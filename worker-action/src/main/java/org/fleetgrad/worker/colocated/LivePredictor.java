package org.fleetgrad.worker.colocated;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.fleetgrad.libtorch.Network;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.serving.Images;
import org.fleetgrad.serving.PredictionResult;
import org.fleetgrad.worker.colocated.ColocatedPredictor.Response;
import org.jspecify.annotations.Nullable;

/**
 * Answers with the tensors that are being trained. The training may load at the same time: an answer may be torn,
 * computed with some values of one version and some of a later one. Each answer says whether a load overlapped. Answers
 * wait for each other and for {@link #retire}; the training never waits for an answer.
 */
final class LivePredictor extends TrainedTensorsPredictor {

    private volatile @Nullable ParameterVersion begun;

    @Override
    public void load(Network trained, TensorSet parameters) {
        begun = ParameterVersion.of(parameters.metadata()).orElse(null);
        trained.load(parameters);
        read(trained, parameters);
    }

    @Override
    public <T> T compute(Supplier<T> batch) {
        return batch.get();
    }

    @Override
    public Optional<Response> classify(Images images) {
        lock().lock();
        try {
            LiveVersion current = live();
            if (current == null) {
                return Optional.empty();
            }
            Optional<PredictionResult> result = current.classify(images);
            // Read last: a load that began before the last pass ended is visible by now.
            ParameterVersion newest = begun;
            long until = newest == null ? current.version().version() : newest.version();
            return result.map(known -> new Response(known, OptionalLong.of(until)));
        } finally {
            lock().unlock();
        }
    }
}
