package org.fleetgrad.e2e.soak;

import java.util.List;
import java.util.function.UnaryOperator;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSpec;

/**
 * A gradient that no server may count.
 *
 * @param changed makes its metadata of those of the worker's next gradient
 */
record Poison(String name, UnaryOperator<GradientMetadata> changed, TensorLayout layout, float[] values) {

    private static final TensorLayout OTHER = TensorLayout.canonical(List.of(TensorSpec.f32("w", 3)));
    private static final TensorLayout LARGE = TensorLayout.canonical(List.of(TensorSpec.f32("w", 1 << 19)));
    private static final long FAR_AHEAD = 1L << 40;

    static List<Poison> all() {
        return List.of(
                values("NaN", Float.NaN),
                values("an infinity", Float.NEGATIVE_INFINITY),
                values("values of 2^40", 0x1p40f),
                new Poison("another shape", UnaryOperator.identity(), OTHER, new float[3]),
                new Poison("two megabytes", UnaryOperator.identity(), LARGE, new float[1 << 19]),
                metadata("a future version", of -> with(of, of.worker(), of.generation(), FAR_AHEAD)),
                metadata("another generation", of -> with(of, of.worker(), "0123456789abcdef", of.baseVersion())),
                metadata("a stranger's name", of -> with(of, "stranger", of.generation(), of.baseVersion())));
    }

    private static Poison values(String name, float value) {
        return new Poison(name, UnaryOperator.identity(), SoakedModel.LAYOUT, SoakedModel.everywhere(value));
    }

    private static Poison metadata(String name, UnaryOperator<GradientMetadata> changed) {
        return new Poison(name, changed, SoakedModel.LAYOUT, SoakedModel.everywhere(1));
    }

    private static GradientMetadata with(GradientMetadata of, String worker, String generation, long version) {
        return new GradientMetadata(worker, of.sequence(), generation, version, of.samples(), of.loss());
    }

    GradientMetadata metadata(GradientMetadata next) {
        return changed.apply(next);
    }
}
