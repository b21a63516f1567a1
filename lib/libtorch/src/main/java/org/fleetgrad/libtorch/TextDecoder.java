package org.fleetgrad.libtorch;

/**
 * Continues one text, token by token, with the parameters of a {@link Network.NetworkReader}. It caches the keys and
 * values of the tokens so far, so that a further token costs the computation of one position.
 *
 * <p><b>Long texts.</b> The network sees at most its context. When a text becomes longer, only its last floor(context /
 * 2) tokens are kept, at least one: their keys and values are computed anew, from position 0, and the text grows from
 * there. Each slide thus costs half a context, about one more position for each token. Which tokens are seen depends on
 * the length of the text alone, so a prompt that is longer than the context is cut in the same way.
 *
 * <p><b>Other parameters meanwhile.</b> A decoder of a copy computes with one version until the copy is renewed. A
 * decoder of the trained tensors themselves, or of a copy that was renewed, computes each further token with the newest
 * values, while the keys and values of earlier tokens stay those of the versions of their time, until the window slides
 * or {@link #recompute} is called.
 *
 * <p>For one thread at a time. Decoders of one reader may compute at the same time as each other. None may compute
 * while its copy is renewed; beside a load of the trained tensors, logits may be torn, as those of
 * {@link Network#live}.
 */
public interface TextDecoder extends AutoCloseable {

    /**
     * Appends tokens to the text: first a prompt, later one token at a time, or several.
     *
     * @param tokens one or more, from 0 to the vocabulary (exclusive)
     * @return the logits of the token that follows
     * @throws IllegalArgumentException if a token is not in the vocabulary, or if the text would become longer than the
     *     decoder was opened for; then nothing is appended
     */
    float[] append(int... tokens);

    /**
     * Computes the keys and values of the tokens that are seen anew, with the reader's current values.
     *
     * @return the logits of the token that follows: as if the same text were appended to a new decoder
     * @throws IllegalStateException if the text has no tokens yet
     */
    float[] recompute();

    /** Returns the number of tokens that were appended. */
    int length();

    /** Returns how many of them come before those that the network sees. */
    int start();

    /** Frees libtorch's memory of the decoder; the reader stays open. */
    @Override
    void close();
}
