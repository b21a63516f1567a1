package org.fleetgrad.benchmarks.pipeline;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.FloatBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.fleetgrad.libtorch.Libtorch;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.networks.block.BlockRange;
import org.fleetgrad.optim.Cores;
import org.fleetgrad.optim.DecayRanges;
import org.fleetgrad.optim.OptimizerSettings;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;
import org.fleetgrad.pipeline.cure.Combination;
import org.fleetgrad.pipeline.cut.BlockProfiler;
import org.fleetgrad.pipeline.cut.BlockTimes;
import org.fleetgrad.pipeline.cut.Cut;
import org.fleetgrad.pipeline.frame.Frame;
import org.fleetgrad.pipeline.frame.Frame.Direction;
import org.fleetgrad.pipeline.schedule.PipelineSchedule;
import org.fleetgrad.pipeline.schedule.PipelineScheduleSettings;
import org.fleetgrad.pipeline.schedule.StagePlace;
import org.fleetgrad.pipeline.stage.MicroBatch;
import org.fleetgrad.pipeline.timeline.Timeline;
import org.fleetgrad.pipeline.training.MicroBatches;
import org.fleetgrad.pipeline.training.NormSum.SharedNormSum;
import org.fleetgrad.pipeline.training.Stage;
import org.fleetgrad.pipeline.training.StageSettings;
import org.fleetgrad.pipeline.training.ThreadedPipeline;
import org.fleetgrad.pipeline.training.ThreadedPipeline.StageFailedException;

/**
 * Two stages of a network that compute, in a process of its own with one libtorch thread for each. Reads the names of
 * schedules, trains a window with each, and answers samples a second, the bubble, and the busy time of each stage in
 * seconds.
 */
final class PipelineCompute {

    private static final int STAGES = 2;
    private static final int REPEATS = 3;
    private static final float RATE = 0.001f;
    private static final OptimizerSettings MOMENTUM = new SgdSettings(0.9f, 0, false, 0);

    private PipelineCompute() {}

    /** Arguments: complete name of the network, samples of a micro-batch, micro-batches of a window. */
    public static void main(String[] arguments) throws Exception {
        NetworkDefinition network = Networks.named(arguments[0]);
        int samples = Integer.parseInt(arguments[1]);
        int count = Integer.parseInt(arguments[2]);
        Cores.shareAmong(STAGES);
        BlockTimes times = new BlockProfiler(range -> Libtorch.stage(range, 0), System::nanoTime)
                .measure(network, samples, REPEATS, MOMENTUM);
        Cut cut = Cut.balanced(network, STAGES, times.cost(false));
        Map<PipelineSchedule, ThreadedPipeline> pipelines = new EnumMap<>(PipelineSchedule.class);
        for (PipelineSchedule schedule : List.of(PipelineSchedule.SEQUENTIAL, PipelineSchedule.ASYNC_1F1B)) {
            pipelines.put(schedule, pipeline(cut, schedule));
        }
        serve(pipelines, new RandomBatches(network, samples, count));
    }

    private static ThreadedPipeline pipeline(Cut cut, PipelineSchedule schedule) {
        Combination combination = Combination.builder(PipelineScheduleSettings.of(schedule, 1), MOMENTUM)
                .build();
        SharedNormSum norm = new SharedNormSum(STAGES);
        List<Stage> stages = new ArrayList<>();
        for (int stage = 0; stage < STAGES; stage++) {
            BlockRange range = cut.stages().get(stage);
            StageSettings settings = new StageSettings(
                    new StagePlace(STAGES, stage),
                    combination,
                    DecayRanges.all(Math.toIntExact(range.parameters().elementCount())),
                    step -> RATE);
            stages.add(
                    new Stage(settings, Libtorch.stage(range, 0), range.initialParameters(1), norm, System::nanoTime));
        }
        return new ThreadedPipeline(stages, norm);
    }

    private static void serve(Map<PipelineSchedule, ThreadedPipeline> pipelines, RandomBatches window)
            throws IOException, StageFailedException, InterruptedException {
        BufferedReader questions = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = questions.readLine(); line != null; line = questions.readLine()) {
            ThreadedPipeline pipeline = Objects.requireNonNull(pipelines.get(PipelineSchedule.of(line)), line);
            Timeline timeline = pipeline.train(window).timeline();
            double seconds = timeline.makespan() / 1e9;
            System.out.println(String.format(
                    Locale.ROOT,
                    "%f %f %f %f",
                    (double) window.count() * window.samples() / seconds,
                    timeline.bubble(),
                    seconds * (1 - timeline.bubble(0)),
                    seconds * (1 - timeline.bubble(1))));
        }
    }

    /** The same random images for every micro-batch, with random labels. */
    private record RandomBatches(int count, int samples, Frame images, float[] labels) implements MicroBatches {

        RandomBatches(NetworkDefinition network, int samples, int count) {
            this(count, samples, images(network, samples), labels(network, samples));
        }

        private static float[] labels(NetworkDefinition network, int samples) {
            Random random = new Random(2);
            float[] labels = new float[samples];
            for (int i = 0; i < samples; i++) {
                labels[i] = random.nextInt(network.spec().classes());
            }
            return labels;
        }

        private static Frame images(NetworkDefinition network, int samples) {
            BlockRange whole = BlockRange.whole(network);
            List<Long> shape = new ArrayList<>(List.of((long) samples));
            whole.input().forEach(side -> shape.add((long) side));
            FloatBuffer values = FloatBuffer.allocate(samples * network.spec().inputSize());
            Random random = new Random(1);
            while (values.hasRemaining()) {
                values.put((float) random.nextGaussian());
            }
            return new Frame(Direction.FORWARD, 0, shape, values.flip());
        }

        @Override
        public MicroBatch at(int place, boolean withLabels) {
            return new MicroBatch(place, place, withLabels ? labels : new float[0]);
        }

        @Override
        public Frame samples(int place) {
            return new Frame(images.direction(), place, images.shape(), images.values());
        }
    }
}
