package org.fleetgrad.pipeline.cut;

import java.nio.FloatBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.block.BlockRange;
import org.fleetgrad.optim.Cores;
import org.fleetgrad.optim.Optimizer;
import org.fleetgrad.optim.OptimizerSettings;
import org.fleetgrad.pipeline.frame.Frame;
import org.fleetgrad.pipeline.frame.Frame.Direction;
import org.fleetgrad.pipeline.stage.MicroBatch;
import org.fleetgrad.pipeline.stage.StageNetwork;
import org.fleetgrad.pipeline.stage.StageNetwork.Graph;
import org.fleetgrad.pipeline.stage.StageNetwork.StageActivation;
import org.fleetgrad.pipeline.stage.StageNetwork.WeightSlot;

/**
 * Measures how long the blocks of a network take, each as a stage of its own, on random samples. It also measures the
 * optimizer step, which grows with the parameters: the last blocks of a VGG have nearly all of them. Used by one thread at a
 * time.
 */
public final class BlockProfiler {

    private static final double NANOS = 1e9;

    private final Function<BlockRange, StageNetwork> engine;
    private final LongSupplier nanoTime;
    private final Duration limit;
    private final IntConsumer progress;

    /** A profiler without a limit, which reports no progress. */
    public BlockProfiler(Function<BlockRange, StageNetwork> engine, LongSupplier nanoTime) {
        this(engine, nanoTime, Duration.ofDays(1000), done -> {});
    }

    /**
     * @param engine   opens a stage; the profiler closes it
     * @param nanoTime a clock such as {@link System#nanoTime}
     * @param limit    after this time each remaining block is measured only once
     * @param progress gets the number of measured blocks after each one
     */
    public BlockProfiler(
            Function<BlockRange, StageNetwork> engine, LongSupplier nanoTime, Duration limit, IntConsumer progress) {
        this.engine = engine;
        this.nanoTime = nanoTime;
        this.limit = limit;
        this.progress = progress;
    }

    /**
     * Measures each block, after one warm-up pass. A block gets fewer passes than {@code repeats}, but at least one, when the
     * blocks so far have taken more than their share of the limit. The step uses the calling thread's {@link Cores#shareAmong share} of the
     * cores, as a stage's step does.
     *
     * @param samples   of one micro-batch
     * @param repeats   most measured passes of a block; the result is the median of their times
     * @param optimizer that takes a step after every pass
     */
    public BlockTimes measure(NetworkDefinition network, int samples, int repeats, OptimizerSettings optimizer) {
        if (samples < 1 || repeats < 1) {
            throw new IllegalArgumentException(
                    "blocks are timed with 1 or more samples, 1 or more times; they are %d and %d"
                            .formatted(samples, repeats));
        }
        List<Double> forward = new ArrayList<>();
        List<Double> backward = new ArrayList<>();
        List<Double> step = new ArrayList<>();
        int blocks = network.blocks().size();
        long start = nanoTime.getAsLong();
        for (int block = 0; block < blocks; block++) {
            BlockRange range = BlockRange.of(network, block, block + 1);
            long[][] nanos = new long[3][repeats];
            long share = limit.toNanos() / blocks * (block + 1);
            int passes = measure(range, samples, optimizer, nanos, start + share);
            forward.add(median(nanos[0], passes) / NANOS);
            backward.add(median(nanos[1], passes) / NANOS);
            step.add(median(nanos[2], passes) / NANOS);
            progress.accept(block + 1);
        }
        return new BlockTimes(forward, backward, step);
    }

    /** Measures until the deadline, and at least once; returns the number of passes. */
    private int measure(BlockRange range, int samples, OptimizerSettings settings, long[][] nanos, long deadline) {
        float[] parameters = range.initialParameters(0);
        Optimizer optimizer = Optimizer.create(settings, parameters.length);
        MicroBatch batch = new MicroBatch(
                0, 0, new float[samples * range.network().spec().task().targets()]);
        boolean isOfTokens =
                range.isFirst() && range.network().spec().task().tokens().isPresent();
        Frame input = isOfTokens ? tokens(range.input(), samples) : random(Direction.FORWARD, range.input(), samples);
        Frame gradient = random(Direction.BACKWARD, range.output(), samples);
        try (StageNetwork stage = engine.apply(range);
                WeightSlot slot = stage.allocate(parameters)) {
            int pass = -1;
            while (pass < nanos[0].length && (pass <= 0 || nanoTime.getAsLong() - deadline < 0)) {
                long begin = nanoTime.getAsLong();
                try (StageActivation activation = stage.forward(slot, batch, input, Graph.RETAINED)) {
                    long middle = nanoTime.getAsLong();
                    if (stage.isLast()) {
                        stage.backwardFromLoss(activation, 1);
                    } else {
                        stage.backward(activation, gradient);
                    }
                    long end = nanoTime.getAsLong();
                    // A learning rate of zero takes as long as any other, and random inputs do not change the weights.
                    optimizer.step(parameters, stage.gradient(), 0);
                    stage.clearGradient();
                    slot.set(parameters);
                    if (pass >= 0) {
                        nanos[0][pass] = middle - begin;
                        nanos[1][pass] = end - middle;
                        nanos[2][pass] = nanoTime.getAsLong() - end;
                    }
                }
                pass++;
            }
            return pass;
        }
    }

    /** Which tokens they are does not matter: an embedding copies rows. */
    private static Frame tokens(List<Integer> sample, int samples) {
        int count = Math.multiplyExact(samples, sample.get(0));
        List<Long> shape = List.of((long) samples, (long) sample.get(0));
        return new Frame(Direction.FORWARD, 0, shape, FloatBuffer.allocate(count));
    }

    private static Frame random(Direction direction, List<Integer> sample, int samples) {
        List<Long> shape = new ArrayList<>(List.of((long) samples));
        sample.forEach(side -> shape.add((long) side));
        float[] values = new float[Math.toIntExact(shape.stream().reduce(1L, Math::multiplyExact))];
        SplittableRandom random = new SplittableRandom(0);
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) (2 * random.nextDouble() - 1);
        }
        return new Frame(direction, 0, shape, FloatBuffer.wrap(values));
    }

    private static double median(long[] nanos, int count) {
        long[] sorted = Arrays.copyOf(nanos, count);
        Arrays.sort(sorted);
        int half = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2.0;
    }
}
