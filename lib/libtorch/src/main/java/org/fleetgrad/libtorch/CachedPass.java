package org.fleetgrad.libtorch;

import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;
import ai.djl.pytorch.jni.IValue;
import java.util.stream.Stream;
import org.fleetgrad.protocol.tensor.TensorLayout;

/**
 * Computes the tokens of one text that follow those whose keys and values are cached. The arguments that stay are made
 * once: the network's tensors are the arrays themselves, whose values may change between two calls. Not thread-safe.
 */
final class CachedPass {

    private final PtNDManager manager;
    private final IValue heads;
    private final IValue epsilons;
    private final IValue tensors;
    private final IValue caches;

    /** Number of tokens in the cache; the rows behind them are free. */
    private int cached;

    /**
     * Allocates the cache.
     *
     * @param layout   has the indices of the layers' tensors
     * @param manager  closes the arrays
     * @param read     the tensors to compute with
     * @param capacity the most tokens of the cache
     */
    CachedPass(DecoderLayers layers, TensorLayout layout, PtNDManager manager, Tensors read, int capacity) {
        this.manager = manager;
        this.heads = attached(IValue.listFrom(
                layers.heads().stream().mapToLong(Integer::longValue).toArray()));
        this.epsilons = attached(IValue.listFrom(
                layers.epsilons().stream().mapToDouble(Double::doubleValue).toArray()));
        this.tensors = attached(IValue.listFrom(layers.tensors().stream()
                .map(name -> read.evaluated()[layout.indexOf(name).orElseThrow()])
                .toArray(PtNDArray[]::new)));
        Shape keysAndValues = new Shape(capacity, 2L * layers.width());
        this.caches = attached(IValue.listFrom(Stream.generate(() -> manager.create(keysAndValues, DataType.FLOAT32))
                .limit(layers.attentions())
                .toArray(PtNDArray[]::new)));
    }

    /** An argument belongs to no manager by itself. */
    private IValue attached(IValue argument) {
        manager.attachInternal(argument.getUid(), argument);
        return argument;
    }

    /** Returns the number of tokens whose keys and values are cached. */
    int cached() {
        return cached;
    }

    /** Forgets all tokens. */
    void clear() {
        cached = 0;
    }

    /**
     * Computes tokens and caches their keys and values.
     *
     * @param tokens one or more of the vocabulary, as many as the cache has room for
     * @return the logits of the last one
     */
    float[] run(long[] tokens) {
        try (IValue ofTokens = IValue.listFrom(tokens);
                IValue before = IValue.from((long) cached);
                IValue result = GradientMode.off(
                        () -> Operator.CONTINUE_TEXT.run(ofTokens, before, heads, epsilons, tensors, caches));
                PtNDArray logits = result.toTensor(manager)) {
            float[] values = logits.toFloatArray();
            cached += tokens.length;
            return values;
        }
    }
}
