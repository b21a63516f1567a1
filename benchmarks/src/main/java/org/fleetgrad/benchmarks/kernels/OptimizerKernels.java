package org.fleetgrad.benchmarks.kernels;

import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.fleetgrad.optim.OptimizerSettings;
import org.fleetgrad.optim.OptimizerSettings.AdamSettings;
import org.fleetgrad.optim.OptimizerSettings.AdamWSettings;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;
import org.fleetgrad.optim.StalenessAwareOptimizer;
import org.fleetgrad.optim.StalenessRule;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** A step with a gradient of ResNet-18, as the server makes it, and loops that only move about as much memory. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class OptimizerKernels {

    /** ResNet-18 with 1,000 classes. */
    public static final int PARAMETERS = 11_689_512;

    /** The loop runs in pieces: a method called often is compiled as a whole, not in the middle of its loop. */
    private static final int PIECE = 1 << 14;

    private static final float RATE = 0.01f;
    private static final float SCALE = 3f;

    @State(Scope.Benchmark)
    public static class Arrays3 {

        final float[] a = new float[PARAMETERS];
        final float[] b = new float[PARAMETERS];
        final float[] c = new float[PARAMETERS];

        /** Fills the arrays, so that their memory pages exist. */
        @Setup(Level.Trial)
        public void fill() {
            Arrays.fill(a, 0);
            Arrays.fill(b, 1);
            Arrays.fill(c, 2);
        }
    }

    /** Parameters, a gradient, and one of the optimizers with its state. */
    @State(Scope.Benchmark)
    public static class Step {

        @Param({"momentum", "adam", "adamw"})
        String optimizer = "";

        private final float[] parameters = new float[PARAMETERS];
        private final float[] gradient = new float[PARAMETERS];
        private @Nullable StalenessAwareOptimizer steps;

        /** Fills the arrays and makes the optimizer. */
        @Setup(Level.Trial)
        public void prepare() {
            OptimizerSettings settings = switch (optimizer) {
                case "momentum" -> new SgdSettings(0.9f, 0, false, 0);
                case "adam" -> new AdamSettings(0.9f, 0.999f, 1e-8f, 0, false);
                default -> new AdamWSettings(0.9f, 0.999f, 1e-8f, 0.01f, false);
            };
            steps = StalenessAwareOptimizer.create(new StalenessRule.None(), settings, PARAMETERS);
            Arrays.fill(parameters, 1);
            Arrays.fill(gradient, 1e-3f);
        }
    }

    /** {@code a = b + s c}: McCalpin's STREAM triad, 12 bytes for each value. */
    @Benchmark
    public float[] triad(Arrays3 arrays) {
        for (int from = 0; from < PARAMETERS; from += PIECE) {
            triad(arrays.a, arrays.b, arrays.c, from, Math.min(from + PIECE, PARAMETERS));
        }
        return arrays.a;
    }

    private static void triad(float[] a, float[] b, float[] c, int from, int to) {
        for (int i = from; i < to; i++) {
            a[i] = b[i] + SCALE * c[i];
        }
    }

    /** Copies 8 bytes for each value. */
    @Benchmark
    public float[] copy(Arrays3 arrays) {
        System.arraycopy(arrays.b, 0, arrays.a, 0, PARAMETERS);
        return arrays.a;
    }

    /**
     * With momentum, reads parameter, gradient and momentum, and writes parameter and momentum: 20 bytes for each
     * value. With Adam and AdamW, reads parameter, gradient and two averages, and writes all but the gradient: 28
     * bytes.
     */
    @Benchmark
    public float[] step(Step state) {
        Objects.requireNonNull(state.steps).step("worker", state.parameters, state.gradient, RATE);
        return state.parameters;
    }
}
