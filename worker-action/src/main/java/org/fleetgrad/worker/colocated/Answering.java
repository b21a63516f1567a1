package org.fleetgrad.worker.colocated;

import java.util.Optional;
import java.util.function.Supplier;
import org.fleetgrad.libtorch.Network;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.serving.Images;
import org.fleetgrad.serving.ServedNetwork;

/**
 * Answers with the network that a worker trains. The training thread loads, computes and retires; any thread asks. What a
 * parameter set lacks for serving, such as the name of its network, never ends the training: then nothing is answered.
 */
interface Answering {

    /** Loads parameters into the trained network, and has later answers given with them, now or when their turn comes. */
    void load(Network trained, TensorSet parameters);

    /** Runs a batch of the training. */
    <T> T compute(Supplier<T> batch);

    /** Stops to answer with the network, which is closed afterwards; returns when nobody reads it any more. */
    void retire();

    /** Returns the network whose images {@link #classify} takes now. */
    Optional<ServedNetwork> network();

    /** Returns the version that would answer now. */
    Optional<ParameterVersion> version();

    /** Says why nothing is answered, if so. */
    String absence();

    /**
     * Classifies images.
     *
     * @param images whose values are only read
     * @return empty if there is no network, or one of images of another shape
     */
    Optional<Answer> classify(Images images);
}
