package org.fleetgrad.optim;

/**
 * The loops of the staleness rules over the elements, written like those of {@link Elementwise}; long ones run on all
 * cores.
 *
 * <p>{@code g} is a gradient, {@code p} the parameters it will be applied to, {@code base} those it was computed on. If
 * {@code p} equals {@code base}, or a factor is 0, the optimizer's step keeps its bits: {@code g} only gets a zero
 * added or is multiplied by one.
 */
final class StalenessLoops {

    /** Keeps the usual step size above 0 for a value that never moved. */
    static final float EPSILON = 1e-8f;

    /** Keeps the adaptive lambda finite. */
    private static final float SQUARES_EPSILON = 1e-7f;

    private StalenessLoops() {}

    /** {@code g = factor g}. */
    static void scale(float[] g, float factor) {
        Cores.each(g.length, (from, to) -> {
            for (int i = from; i < to; i++) {
                g[i] = g[i] * factor;
            }
        });
    }

    /** {@code sum = sum + v}. */
    static void add(float[] sum, float[] v) {
        Cores.each(sum.length, (from, to) -> {
            for (int i = from; i < to; i++) {
                sum[i] = sum[i] + v[i];
            }
        });
    }

    /** {@code g = g (1 + lambda g (p - base))}. */
    static void compensate(float[] g, float[] base, float[] p, float lambda) {
        Cores.each(g.length, (from, to) -> {
            for (int i = from; i < to; i++) {
                g[i] = g[i] * (1 + lambda * g[i] * (p[i] - base[i]));
            }
        });
    }

    /** {@code m = kept m + fresh g^2; g = g (1 + lambda / sqrt(m + 1e-7) g (p - base))}. */
    static void compensateAdaptively(
            float[] g, float[] base, float[] p, float[] m, float kept, float fresh, float lambda) {
        Cores.each(g.length, (from, to) -> {
            for (int i = from; i < to; i++) {
                float squares = m[i] * kept + fresh * g[i] * g[i];
                m[i] = squares;
                g[i] = g[i] * (1 + lambda / (float) Math.sqrt(squares + SQUARES_EPSILON) * g[i] * (p[i] - base[i]));
            }
        });
    }

    /** {@code a = kept a + fresh x^2}. */
    static void averageSquares(float[] a, float[] x, float kept, float fresh) {
        Cores.each(a.length, (from, to) -> {
            for (int i = from; i < to; i++) {
                a[i] = a[i] * kept + fresh * x[i] * x[i];
            }
        });
    }

    /**
     * {@code c = scale sqrt(a) + floor; n = 1 + |p - base| / c; g = g / n + decay p (1 - n) / n}.
     *
     * <p>Computed as {@code 1 / n = c / (c + |p - base|)}, which needs one division and cannot overflow.
     */
    static void penalize(
            float[] g,
            float[] base,
            float[] p,
            float[] a,
            float scale,
            float floor,
            float decay,
            DecayRanges ranges,
            int begin,
            int end) {
        ranges.each(begin, end, decay, (from, to, factor) -> penalize(g, base, p, a, scale, floor, factor, from, to));
    }

    private static void penalize(
            float[] g, float[] base, float[] p, float[] a, float scale, float floor, float decay, int from, int to) {
        for (int i = from; i < to; i++) {
            float usual = scale * (float) Math.sqrt(a[i]) + floor;
            float share = usual / (usual + Math.abs(p[i] - base[i]));
            // Adds and does not subtract: an added zero cannot turn -0 into a value that the optimizer treats
            // differently.
            g[i] = g[i] * share + decay * (p[i] * (share - 1));
        }
    }

    /** {@link #penalize} with the gap {@code rate |g|}: the distance of a step along this gradient. */
    static void penalizeByOwnStep(
            float[] g,
            float[] p,
            float[] a,
            float scale,
            float floor,
            float rate,
            float decay,
            DecayRanges ranges,
            int begin,
            int end) {
        ranges.each(begin, end, decay, (from, to, factor) -> {
            for (int i = from; i < to; i++) {
                float usual = scale * (float) Math.sqrt(a[i]) + floor;
                float share = usual / (usual + rate * Math.abs(g[i]));
                g[i] = g[i] * share + factor * (p[i] * (share - 1));
            }
        });
    }

    /** {@code c = sqrt(a) + floor; n = 1 + |p - base| / c; g = g / n; relief = relief + (1 - 1 / n)}. */
    static void penalizeWithRelief(float[] g, float[] base, float[] p, float[] a, float floor, float[] relief) {
        Cores.each(g.length, (from, to) -> {
            for (int i = from; i < to; i++) {
                float usual = (float) Math.sqrt(a[i]) + floor;
                float share = usual / (usual + Math.abs(p[i] - base[i]));
                g[i] = g[i] * share;
                relief[i] = relief[i] + (1 - share);
            }
        });
    }

    /** {@code p = (1 + factor relief) p; relief = 0}. */
    static void relieve(float[] p, float[] relief, float factor, DecayRanges ranges, int begin, int end) {
        ranges.each(begin, end, factor, (from, to, share) -> relieve(p, relief, share, from, to));
    }

    private static void relieve(float[] p, float[] relief, float factor, int from, int to) {
        for (int i = from; i < to; i++) {
            p[i] = p[i] * (1 + factor * relief[i]);
            relief[i] = 0;
        }
    }

    /** {@code v' = kept v + g + decay p; sum = sum + (v' - v)}. */
    static void gatherMomentum(
            float[] g, float[] p, float decay, float[] v, float kept, float[] sum, DecayRanges ranges) {
        Cores.each(
                g.length,
                (begin, end) -> ranges.each(
                        begin, end, decay, (from, to, factor) -> gatherMomentum(g, p, factor, v, kept, sum, from, to)));
    }

    private static void gatherMomentum(
            float[] g, float[] p, float decay, float[] v, float kept, float[] sum, int from, int to) {
        for (int i = from; i < to; i++) {
            float before = v[i];
            float after = before * kept + (g[i] + decay * p[i]);
            v[i] = after;
            sum[i] = sum[i] + (after - before);
        }
    }

    /** {@code ahead = p + reach sum}. */
    static void lookAhead(float[] ahead, float[] p, float[] sum, float reach) {
        Cores.each(p.length, (from, to) -> lookAhead(ahead, p, sum, reach, from, to));
    }

    /** {@code ahead = p + reach sum} for some values. */
    static void lookAhead(float[] ahead, float[] p, float[] sum, float reach, int from, int to) {
        for (int i = from; i < to; i++) {
            ahead[i] = p[i] + reach * sum[i];
        }
    }

    /** {@code v = kept v + g; g = g + kept v}. */
    static void applyMomentum(float[] g, float[] v, float kept) {
        Cores.each(g.length, (from, to) -> {
            for (int i = from; i < to; i++) {
                float buffer = v[i] * kept + g[i];
                v[i] = buffer;
                g[i] = g[i] + kept * buffer;
            }
        });
    }
}
