package org.fleetgrad.worker.colocated;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.fleetgrad.libtorch.Network;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.serving.Images;
import org.fleetgrad.worker.colocated.ColocatedPredictor.Response;

/**
 * Answers between two batches. Batches, loads and answers share one fair lock: a request that is waiting when a batch
 * ends is answered before the next batch, and a later one waits for the end of that batch. So each answer is of one
 * version, nothing is copied, and neither side can starve the other. While the training waits for the server, answers
 * wait for nothing.
 */
final class InterleavedPredictor extends TrainedTensorsPredictor {

    @Override
    public void load(Network trained, TensorSet parameters) {
        lock().lock();
        try {
            trained.load(parameters);
            read(trained, parameters);
        } finally {
            lock().unlock();
        }
    }

    @Override
    public <T> T compute(Supplier<T> batch) {
        lock().lock();
        try {
            return batch.get();
        } finally {
            lock().unlock();
        }
    }

    @Override
    public Optional<Response> classify(Images images) {
        lock().lock();
        try {
            return Optional.ofNullable(live())
                    .flatMap(current ->
                            current.classify(images).map(result -> new Response(result, OptionalLong.empty())));
        } finally {
            lock().unlock();
        }
    }
}
