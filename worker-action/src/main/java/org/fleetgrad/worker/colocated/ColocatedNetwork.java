package org.fleetgrad.worker.colocated;

import java.util.Map;
import java.util.TreeMap;
import org.fleetgrad.libtorch.LossWeights;
import org.fleetgrad.libtorch.Network;
import org.fleetgrad.libtorch.Network.NetworkCopy;
import org.fleetgrad.libtorch.Network.NetworkReader;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.tensor.FrozenTensors;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.jspecify.annotations.Nullable;

/**
 * A network that is trained and served: every load and every batch of the training goes through {@link
 * ColocatedPredictor}. The training sees an ordinary network, and computes the same bits.
 */
final class ColocatedNetwork implements Network {

    private final Network trained;
    private final ColocatedPredictor predictor;
    /** The last complete set, whose frozen tensors later sets leave out. */
    private @Nullable TensorSet complete;

    ColocatedNetwork(Network trained, ColocatedPredictor predictor) {
        this.trained = trained;
        this.predictor = predictor;
    }

    @Override
    public NetworkSpec spec() {
        return trained.spec();
    }

    @Override
    public void freeze(FrozenTensors frozen) {
        trained.freeze(frozen);
    }

    @Override
    public TensorLayout trainable() {
        return trained.trainable();
    }

    @Override
    public void load(TensorSet parameters) {
        predictor.load(trained, parameters, described(parameters));
    }

    /** Returns a complete set with the version of a set of trainable tensors. Its values are not read. */
    private TensorSet described(TensorSet parameters) {
        TensorSet before = complete;
        if (before == null || parameters.layout().size() == spec().layout().size()) {
            complete = parameters;
            return parameters;
        }
        Map<String, String> metadata = new TreeMap<>(before.metadata());
        ParameterVersion.of(parameters.metadata()).ifPresent(version -> {
            metadata.put(ParameterVersion.GENERATION_KEY, version.generation());
            metadata.put(ParameterVersion.VERSION_KEY, Long.toString(version.version()));
        });
        return new TensorSet(before.layout(), before.data(), metadata);
    }

    @Override
    public float accumulate(
            float[] images, float[] targets, int count, long dropoutSeed, float labelSmoothing, LossWeights weights) {
        return predictor.compute(
                () -> trained.accumulate(images, targets, count, dropoutSeed, labelSmoothing, weights));
    }

    @Override
    public void drainGradient(float[] target, float scale) {
        trained.drainGradient(target, scale);
    }

    @Override
    public void discardGradient() {
        trained.discardGradient();
    }

    @Override
    public float[] logits(float[] images, int count) {
        return predictor.compute(() -> trained.logits(images, count));
    }

    @Override
    public NetworkReader live() {
        return trained.live();
    }

    @Override
    public NetworkCopy copy() {
        return trained.copy();
    }

    @Override
    public void close() {
        predictor.retire();
        trained.close();
    }
}
