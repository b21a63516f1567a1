package org.fleetgrad.optim;

/**
 * The loops over the elements. They are counted, free of branches and use one index for all arrays, so that the JIT
 * vectorizes them. The order of operations is that of PyTorch's kernels.
 *
 * <p>{@code p} are parameters, {@code g} their gradient, {@code decay} the factor of the L2 penalty in
 * {@code d = g + decay p}. To leave a factor out, pass 0 or 1: finite values stay the same, so no loop is needed twice.
 */
final class Elementwise {

    private Elementwise() {}

    /** {@code p = p + rate d}. */
    static void descend(float[] p, float[] g, float decay, float rate, int from, int to) {
        for (int i = from; i < to; i++) {
            p[i] = p[i] + rate * (g[i] + decay * p[i]);
        }
    }

    /** {@code b = kept b + fresh d; p = p + rate b}. */
    static void descendWithMomentum(
            float[] p, float[] g, float decay, float[] b, float kept, float fresh, float rate, int from, int to) {
        for (int i = from; i < to; i++) {
            float direction = g[i] + decay * p[i];
            float buffer = b[i] * kept + fresh * direction;
            b[i] = buffer;
            p[i] = p[i] + rate * buffer;
        }
    }

    /** {@code b = kept b + d; p = p + rate (d + kept b)}. */
    static void descendWithNesterov(
            float[] p, float[] g, float decay, float[] b, float kept, float rate, int from, int to) {
        for (int i = from; i < to; i++) {
            float direction = g[i] + decay * p[i];
            float buffer = b[i] * kept + direction;
            b[i] = buffer;
            p[i] = p[i] + rate * (direction + kept * buffer);
        }
    }

    /** {@code m = m + weight (d - m)}: interpolates from the near end, for a weight below one half. */
    static void average(float[] p, float[] g, float decay, float[] m, float weight, int from, int to) {
        for (int i = from; i < to; i++) {
            m[i] = m[i] + weight * (g[i] + decay * p[i] - m[i]);
        }
    }

    /** {@code m = d - (d - m) (1 - weight)}: interpolates from the far end, so that weight 1 gives d itself. */
    static void averageFromFarEnd(float[] p, float[] g, float decay, float[] m, float weight, int from, int to) {
        float rest = 1 - weight;
        for (int i = from; i < to; i++) {
            float direction = g[i] + decay * p[i];
            m[i] = direction - (direction - m[i]) * rest;
        }
    }

    /** {@code v = kept v + fresh d^2}. */
    static void averageSquares(
            float[] p, float[] g, float decay, float[] v, float kept, float fresh, int from, int to) {
        for (int i = from; i < to; i++) {
            float direction = g[i] + decay * p[i];
            v[i] = v[i] * kept + fresh * direction * direction;
        }
    }

    /** {@code u = max(u, v)}. */
    static void maximum(float[] u, float[] v, int from, int to) {
        for (int i = from; i < to; i++) {
            u[i] = Math.max(u[i], v[i]);
        }
    }

    /** {@code p = kept p + rate m / (sqrt(u) / scale + epsilon)}. */
    static void descendByMoments(
            float[] p, float[] m, float[] u, float kept, float rate, float scale, float epsilon, int from, int to) {
        for (int i = from; i < to; i++) {
            p[i] = p[i] * kept + rate * m[i] / ((float) Math.sqrt(u[i]) / scale + epsilon);
        }
    }

    /**
     * {@link #descendByMoments} with {@code e = keptSquares e + freshSquares step^2}, to the same bits of {@code p}.
     */
    static void descendByMomentsRecorded(
            float[] p,
            float[] m,
            float[] u,
            float kept,
            float rate,
            float scale,
            float epsilon,
            float[] e,
            float keptSquares,
            float freshSquares,
            int from,
            int to) {
        for (int i = from; i < to; i++) {
            float step = rate * m[i] / ((float) Math.sqrt(u[i]) / scale + epsilon);
            e[i] = e[i] * keptSquares + freshSquares * step * step;
            p[i] = p[i] * kept + step;
        }
    }
}
