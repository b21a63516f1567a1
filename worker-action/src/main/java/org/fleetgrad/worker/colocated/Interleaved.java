package org.fleetgrad.worker.colocated;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.fleetgrad.libtorch.Network;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.serving.Images;

/**
 * Answers between two batches. Batches, loads and answers share one fair lock: a request that is waiting when a batch ends is
 * answered before the next batch, and a later one waits for the end of that batch. So each answer is of one version, nothing is
 * copied, and neither side can starve the other. While the training waits for the server, answers wait for nothing.
 */
final class Interleaved extends OfTrainedTensors {

    @Override
    public void load(Network trained, TensorSet parameters) {
        turn().lock();
        try {
            trained.load(parameters);
            read(trained, parameters);
        } finally {
            turn().unlock();
        }
    }

    @Override
    public <T> T compute(Supplier<T> batch) {
        turn().lock();
        try {
            return batch.get();
        } finally {
            turn().unlock();
        }
    }

    @Override
    public Optional<PredictResponse> classify(Images images) {
        turn().lock();
        try {
            return Optional.ofNullable(reading())
                    .flatMap(now -> now.classify(images)
                            .map(scores -> new PredictResponse(now.network().name(), scores, OptionalLong.empty())));
        } finally {
            turn().unlock();
        }
    }
}
