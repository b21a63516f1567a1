package org.fleetgrad.libtorch;

import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.jni.JniUtils;
import java.util.List;
import org.fleetgrad.libtorch.Steps.Step;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.layer.PositionEmbedding;
import org.fleetgrad.networks.layer.SelfAttention;
import org.fleetgrad.networks.layer.Sequential;
import org.fleetgrad.networks.layer.Sequential.Part;

/**
 * Compiles the layers of a language model for the tokens that follow those of a {@link KeyValueCache}: their positions begin
 * where the cache ends, and attention adds to the cache and reads all of it. The steps are of that cache alone. For evaluation:
 * nothing is dropped.
 */
final class CachedSteps extends Steps {

    private final KeyValueCache cache;

    private CachedSteps(NetworkDefinition definition, KeyValueCache cache) {
        super(definition.spec().layout());
        this.cache = cache;
    }

    /**
     * Compiles a network that {@link CacheMemory} has a size for, and allocates its cache. The steps map tokens [1, tokens] to the
     * logits of the last one [1, 1, vocabulary].
     */
    static Step of(NetworkDefinition definition, KeyValueCache cache) {
        List<Part> parts = definition.layers().parts();
        Part last = parts.get(parts.size() - 1);
        CachedSteps steps = new CachedSteps(definition, cache);
        Step body = steps.sequence(new Sequential(parts.subList(0, parts.size() - 1)), "");
        Step head = steps.step(last.layer(), last.name());
        return (x, pass) -> {
            try (PtNDArray hidden = body.run(x, pass);
                    PtNDArray ofLast = lastToken(hidden)) {
                return head.run(ofLast, pass);
            }
        };
    }

    /** The logits of a vocabulary are large, and those within a prompt predict tokens that are known. */
    private static PtNDArray lastToken(PtNDArray hidden) {
        long tokens = hidden.getShape().get(1);
        return JniUtils.slice(hidden, 1, tokens - 1, tokens, 1);
    }

    @Override
    Step positions(PositionEmbedding positions, String name) {
        int rows = place(name, positions.tensor());
        return (x, pass) -> positions(x, pass.tensors()[rows], cache.tokens());
    }

    @Override
    Step attention(SelfAttention attention, String name) {
        PtNDArray keysAndValues = cache.add(attention);
        PtNDArray length = cache.length();
        int heads = attention.heads();
        return (x, pass) -> {
            try (PtNDArray parts = byHead(x, heads)) {
                return Operator.CACHED_ATTENTION.run(parts, keysAndValues, length);
            }
        };
    }
}
