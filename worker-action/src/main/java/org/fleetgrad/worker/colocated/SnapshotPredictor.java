package org.fleetgrad.worker.colocated;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.fleetgrad.libtorch.Network;
import org.fleetgrad.libtorch.Network.NetworkCopy;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.serving.Classifier;
import org.fleetgrad.serving.Classifiers;
import org.fleetgrad.serving.Images;
import org.fleetgrad.serving.LiveModel;
import org.fleetgrad.serving.PredictionResult;
import org.fleetgrad.serving.SampleForm;
import org.fleetgrad.serving.ServedNetwork;
import org.fleetgrad.serving.policy.WantedVersion;
import org.fleetgrad.worker.colocated.ColocatedPredictor.Response;
import org.fleetgrad.worker.colocated.LiveVersion.ReaderClassifier;
import org.jspecify.annotations.Nullable;

/**
 * Answers with copies of the trained parameters. There are two: one answers while the training thread renews the other,
 * so that neither waits for the other. Each answer is of one version.
 */
final class SnapshotPredictor implements ColocatedPredictor {

    private final int every;
    private volatile @Nullable LiveModel model;
    private volatile String absence = "no parameters were loaded yet";

    /** @param every steps after which the copy is renewed */
    SnapshotPredictor(int every) {
        this.every = every;
    }

    /** Copies the trained network instead of a parameter set: the set was just loaded into it. */
    private record Copies(Network trained) implements Classifiers {

        @Override
        public ServedNetwork networkOf(TensorSet parameters) {
            return LiveVersion.network(parameters);
        }

        @Override
        public Classifier open(ServedNetwork network) {
            NetworkCopy copy = trained.copy();
            return new ReaderClassifier(copy, copy::renew);
        }
    }

    @Override
    public void load(Network trained, TensorSet parameters, TensorSet described) {
        trained.load(parameters);
        try {
            ParameterVersion version = LiveVersion.requireVersion(parameters.metadata());
            LiveModel serving = model;
            if (serving == null) {
                serving = new LiveModel(new Copies(trained), network -> LiveVersion.PLAIN, LiveVersion.MEMORY_BYTES);
            }
            if (isDue(serving.version(), version)) {
                serving.swapTo(version, described);
                model = serving;
            }
        } catch (IllegalArgumentException unfit) {
            // The previous version continues to answer, if there is one.
            absence = "the parameters cannot be served: " + unfit.getMessage();
        }
    }

    private boolean isDue(Optional<ParameterVersion> served, ParameterVersion next) {
        return served.isEmpty()
                || !served.get().generation().equals(next.generation())
                || Math.abs(next.version() - served.get().version()) >= every;
    }

    @Override
    public <T> T compute(Supplier<T> batch) {
        return batch.get();
    }

    @Override
    public void retire() {
        LiveModel last = model;
        model = null;
        if (last != null) {
            last.close();
        }
    }

    @Override
    public Optional<SampleForm> form() {
        return Optional.ofNullable(model).flatMap(live -> live.form(WantedVersion.BY_POLICY));
    }

    @Override
    public Optional<ParameterVersion> version() {
        return Optional.ofNullable(model).flatMap(LiveModel::version);
    }

    @Override
    public String absence() {
        return absence;
    }

    @Override
    public Optional<Response> classify(Images images) {
        LiveModel serving = model;
        if (serving == null || !(serving.predict(WantedVersion.BY_POLICY, images) instanceof PredictionResult result)) {
            return Optional.empty();
        }
        return Optional.of(new Response(result, OptionalLong.empty()));
    }
}
