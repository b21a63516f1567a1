package org.fleetgrad.worker.colocated;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.fleetgrad.libtorch.Network;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.serving.Images;
import org.fleetgrad.serving.PredictionResult;
import org.fleetgrad.serving.SampleForm;
import org.fleetgrad.worker.colocated.ServeSettings.ServeMode;

/**
 * Answers predictions with the network that a worker trains. The training thread loads, computes and retires; any
 * thread may classify. A parameter set that cannot be served, for example because it does not name its network, never
 * ends the training: then nothing is answered.
 */
interface ColocatedPredictor {

    /**
     * Loads parameters into the trained network; answers use them at once, or from the next renewal.
     *
     * @param parameters what to load: all tensors, or the trainable ones
     * @param described  all tensors, with the same version: names and metadata count, not the values
     */
    void load(Network trained, TensorSet parameters, TensorSet described);

    /** Runs a batch of the training. */
    <T> T compute(Supplier<T> batch);

    /** Stops answering with the network, which is closed afterwards; returns when no thread reads it any more. */
    void retire();

    /** Returns what {@link #classify} currently accepts. */
    Optional<SampleForm> form();

    /** Returns the version that currently answers. */
    Optional<ParameterVersion> version();

    /** Returns why nothing is answered, if so. */
    String absence();

    /**
     * Classifies images.
     *
     * @param images are only read
     * @return empty if there is no network, or it takes other samples
     */
    Optional<Response> classify(Images images);

    /**
     * An answer to a prediction.
     *
     * @param result what one version computed
     * @param until  only with {@link ServeMode#LIVE}: the newest version whose load had begun when the answer was
     *     computed. If it equals the result's version, no load overlapped; otherwise the answer may be torn
     */
    record Response(PredictionResult result, OptionalLong until) {}
}
