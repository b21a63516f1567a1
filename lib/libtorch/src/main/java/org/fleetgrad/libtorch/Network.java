package org.fleetgrad.libtorch;

import org.fleetgrad.libtorch.Network.NetworkReader;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.protocol.tensor.FrozenTensors;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;

/**
 * A network in libtorch's memory: parameters that can be loaded, a gradient that accumulates, predictions.
 *
 * <p>Not thread-safe. A batch is flat in row-major order: images are float32, normalized as in training, [count, channels,
 * height, width]; texts are the numbers of their tokens, as float32, [count, tokens].
 */
public interface Network extends AutoCloseable {

    /** Returns the inputs, outputs and parameters of the network. */
    NetworkSpec spec();

    /**
     * Freezes tensors from the next batch on, and no others: a frozen parameter gets no gradient, and a normalization whose
     * state is frozen uses that state in training, too, and observes nothing. Discards the accumulated gradient. At first
     * nothing is frozen.
     */
    void freeze(FrozenTensors frozen);

    /** Returns the layout of a gradient: the tensors that are not frozen. */
    TensorLayout trainable();

    /**
     * Copies the parameters and the state; keeps no reference to the set. A set of the trainable tensors alone leaves the
     * frozen ones as they are.
     *
     * @throws IllegalArgumentException if its tensors are neither all of the network's nor all trainable ones; the message
     *     names the first that differs
     */
    void load(TensorSet parameters);

    /**
     * Trains on a batch without label smoothing, and with dropout masks of seed 0: see
     * {@link #accumulate(float[], float[], int, long, float, LossWeights)}.
     */
    default float accumulate(float[] images, float[] targets, int count) {
        return accumulate(images, targets, count, 0, 0);
    }

    /**
     * Trains on a batch whose samples count alike: see {@link #accumulate(float[], float[], int, long, float, LossWeights)}.
     */
    default float accumulate(float[] images, float[] targets, int count, long dropoutSeed, float labelSmoothing) {
        return accumulate(images, targets, count, dropoutSeed, labelSmoothing, LossWeights.EQUAL);
    }

    /**
     * Runs forward and backward in training mode: adds the gradient of the mean cross-entropy over the batch to the
     * accumulated gradient, and the batch's statistics to the observed state. Normalization uses the statistics of the
     * batch; the state that was loaded is neither read nor changed.
     *
     * <p>With loss weights it adds the gradient of the weighted <em>sum</em> of the losses, so that batches of any weights add up
     * to one large batch: divide by the sum of all weights ({@link #drainGradient}).
     *
     * @param images         at least {@code count} samples; further ones are not read
     * @param targets        at least one for each prediction of {@code count} samples: a label, from 0 to {@code spec().classes() -
     *                       1}; for a token -100, if its prediction does not count; a number; or 0 or 1 for each label
     * @param dropoutSeed    of the dropout masks: the same seed gives the same masks on every machine, whatever else the
     *                       process computes
     * @param labelSmoothing share of the target that is spread over all classes equally, from 0 to below 1, as PyTorch's {@code
     *                       CrossEntropyLoss(label_smoothing)} (C. Szegedy et al. 2016)
     * @param weights        factors of the samples' losses, as of PyTorch's {@code CrossEntropyLoss(weight)}
     * @return the mean loss, weighted; 0 if all weights are 0; if training has diverged, the loss and the gradient may not be finite
     */
    float accumulate(
            float[] images, float[] targets, int count, long dropoutSeed, float labelSmoothing, LossWeights weights);

    /**
     * Writes the accumulated gradient times {@code scale}, in the order of {@link #trainable}, and resets it to zero. State tensors
     * get, unscaled, the statistics that were observed over the H batches since the last reset: the mean {@code buffer / (1 -
     * (1 - momentum)^H)}, in which a later batch weighs more, as in PyTorch's running statistics.
     *
     * @param target exactly as many values as {@link #trainable} has
     * @throws IllegalStateException if no batch was accumulated
     */
    void drainGradient(float[] target, float scale);

    /** Resets the accumulated gradient and the observed state to zero. */
    void discardGradient();

    /**
     * Computes logits in evaluation mode, without a gradient: normalization uses the state that was loaded, and nothing is
     * dropped.
     *
     * @param images at least {@code count} samples; further ones are not read
     * @return [count, classes], or [count, tokens, classes], row-major
     */
    float[] logits(float[] images, int count);

    /**
     * Opens a reader of the trained tensors themselves, without a copy. Its answers are exact unless the network loads at the
     * same time. If {@link #load} runs in another thread meanwhile, an answer may be torn: computed with some values of the old
     * set and some of the new set. Single values are never torn.
     */
    NetworkReader live();

    /**
     * Opens a reader of a copy of the current parameters and state. It takes as much memory as they do. Called by the network's
     * own thread.
     */
    NetworkCopy copy();

    /** Frees libtorch's memory; the network must not be used afterwards. */
    @Override
    void close();

    /**
     * Predicts with the parameters of a {@link Network} that is being trained, in evaluation mode and with an input of its own.
     *
     * <p>A reader may compute in another thread than the network. It changes no mode of the network: dropout stays active in
     * training, normalization still observes, and neither the accumulated gradient nor a random generator is touched. A reader
     * itself is for one thread at a time. It must not be used once its network is closed.
     */
    interface NetworkReader extends AutoCloseable {

        /** Returns the inputs, outputs and parameters of the network. */
        NetworkSpec spec();

        /**
         * Computes logits in evaluation mode, without a gradient, as {@link Network#logits} does.
         *
         * @param images at least {@code count} images; further ones are not read
         * @return [count, classes], row-major
         */
        float[] logits(float[] images, int count);

        /**
         * Opens a decoder that continues one text. It allocates {@link CacheMemory#bytes} for its cache.
         *
         * @param mostTokens the most tokens of the text, its prompt included; they may be more than the network's context
         * @throws IllegalArgumentException if it is no network of GPT-2's layers; the message has the other one
         */
        TextDecoder decoder(int mostTokens);

        /** Frees libtorch's memory of the reader and of its decoders; the network stays open. */
        @Override
        void close();
    }

    /**
     * A reader with a copy of the network's parameters and state. It answers with the values of its last {@link
     * #renew}, whatever the network loads meanwhile.
     */
    interface NetworkCopy extends NetworkReader {

        /**
         * Copies the network's current parameters and state. No thread may compute with this copy, or load the network,
         * meanwhile.
         */
        void renew();
    }
}
