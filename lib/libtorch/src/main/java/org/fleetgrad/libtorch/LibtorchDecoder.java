package org.fleetgrad.libtorch;

import ai.djl.pytorch.engine.PtNDManager;
import java.util.Arrays;
import org.fleetgrad.networks.NetworkDefinition;

/** A {@link TextDecoder} over libtorch. Its arrays are in its own manager, which it closes. */
final class LibtorchDecoder implements TextDecoder {

    private final String name;
    private final int vocabulary;
    private final int mostTokens;
    private final SlidingWindow window;
    private final PtNDManager manager;
    private final CachedPass pass;

    /** The tokens that the network sees. The first ones, as many as are cached, are computed. */
    private int[] seen = {};

    private int start;

    /**
     * @param owner      of the reader; this decoder's manager is a part of it
     * @param read       the tensors to compute with
     * @param mostTokens the most tokens that will be appended
     */
    LibtorchDecoder(NetworkDefinition definition, PtNDManager owner, Tensors read, int mostTokens) {
        // Refuses a network of other layers before anything is opened.
        DecoderLayers layers = DecoderLayers.of(definition);
        this.name = definition.spec().name();
        this.vocabulary = definition.spec().classes();
        this.mostTokens = mostTokens;
        this.window = new SlidingWindow(definition.spec().inputSize());
        int capacity = CacheMemory.tokens(definition, mostTokens);
        this.manager = (PtNDManager) owner.newSubManager();
        this.pass = new CachedPass(layers, definition.spec().layout(), manager, read, capacity);
    }

    @Override
    public float[] append(int... tokens) {
        require(tokens);
        int next = window.start(length() + tokens.length);
        int[] all = Arrays.copyOf(seen, seen.length + tokens.length);
        System.arraycopy(tokens, 0, all, seen.length, tokens.length);
        if (next > start) {
            pass.clear();
        }
        seen = Arrays.copyOfRange(all, next - start, all.length);
        start = next;
        return compute();
    }

    private void require(int[] tokens) {
        if (tokens.length == 0 || tokens.length > mostTokens - length()) {
            throw new IllegalArgumentException(
                    "to a text of %d tokens, whose decoder is for %d, 1 to %d can be appended; there are %d"
                            .formatted(length(), mostTokens, mostTokens - length(), tokens.length));
        }
        for (int i = 0; i < tokens.length; i++) {
            // libtorch would read beyond the embedding's rows.
            if (tokens[i] < 0 || tokens[i] >= vocabulary) {
                throw new IllegalArgumentException(
                        "token %d of a text is %d; the vocabulary of the network '%s' has the tokens 0 to %d"
                                .formatted(length() + i, tokens[i], name, vocabulary - 1));
            }
        }
    }

    @Override
    public float[] recompute() {
        if (seen.length == 0) {
            throw new IllegalStateException("a text without tokens has no logits");
        }
        pass.clear();
        return compute();
    }

    /** Computes the tokens that the cache does not have; also those of an earlier call that failed. */
    private float[] compute() {
        return pass.run(
                Arrays.stream(seen, pass.cached(), seen.length).asLongStream().toArray());
    }

    @Override
    public int length() {
        return start + seen.length;
    }

    @Override
    public int start() {
        return start;
    }

    @Override
    public void close() {
        manager.close();
    }
}
