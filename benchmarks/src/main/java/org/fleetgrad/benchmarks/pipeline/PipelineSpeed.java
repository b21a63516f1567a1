package org.fleetgrad.benchmarks.pipeline;

import java.util.List;
import org.fleetgrad.benchmarks.figures.Comparison;
import org.fleetgrad.benchmarks.figures.Figure;
import org.fleetgrad.benchmarks.figures.Result;
import org.fleetgrad.benchmarks.figures.Values;
import org.fleetgrad.benchmarks.process.LineProcess;
import org.fleetgrad.benchmarks.process.Workbench;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.pipeline.schedule.PipelineSchedule;

/** Measures two stages of VGG-11 under 1f1b, compared with the same two stages one after the other. */
public record PipelineSpeed(Workbench bench) {

    private static final int SAMPLES = 32;

    /** Of a window. Filling and draining the pipeline then takes 1% of it, as in an epoch of a real run. */
    private static final int MICRO_BATCHES = 96;

    /** Two pipelines are in the process, each with weights, gradient, momentum and a copy. */
    private static final int COPIES = 8;

    public List<Result> measure() throws Exception {
        NetworkSpec spec = Networks.named("vgg11", List.of(3, 32, 32), 10).spec();
        bench.progress("pipeline: vgg11 in 2 stages");
        bench.programs().makeRoomFor(COPIES * spec.layout().byteLength());
        List<PipelineSchedule> both = List.of(PipelineSchedule.SEQUENTIAL, PipelineSchedule.ASYNC_1F1B);
        try (LineProcess stages = bench.programs()
                .startLikeWorker(
                        PipelineCompute.class,
                        spec.name(),
                        Integer.toString(SAMPLES),
                        Integer.toString(MICRO_BATCHES))) {
            for (PipelineSchedule warm : both) {
                stages.ask(warm.text());
            }
            return figures(bench.compareAll(both, schedule -> stages.askNumbers(schedule.text())));
        }
    }

    private static List<Result> figures(Comparison<PipelineSchedule> comparison) {
        String what = "VGG-11 at 32x32 in 2 stages of 1 thread, 1f1b, micro-batches of %d".formatted(SAMPLES);
        Values speed = comparison.of(PipelineSchedule.ASYNC_1F1B, 0);
        Values first = comparison.of(PipelineSchedule.SEQUENTIAL, 2);
        Values second = comparison.of(PipelineSchedule.SEQUENTIAL, 3);
        Values busy = comparison.of(PipelineSchedule.ASYNC_1F1B, 2).plus(comparison.of(PipelineSchedule.ASYNC_1F1B, 3));
        return List.of(
                Figure.of("pipeline-vgg11", what)
                        .ours(speed, "samples/s")
                        .limit(comparison.of(PipelineSchedule.SEQUENTIAL), "the same two stages, sequential")
                        .ratioAtLeast(1.6),
                Figure.of("pipeline-vgg11-allowed", what)
                        .ours(speed, "samples/s")
                        .limit(
                                allowed(SAMPLES * MICRO_BATCHES, first.median(), second.median(), MICRO_BATCHES),
                                "what the balance of the two stages allows, if each is as fast as with sequential"),
                Figure.of(
                                "pipeline-vgg11-compute",
                                "VGG-11: busy seconds of both stages for the same samples, together")
                        .ours(busy, "s")
                        .limit(
                                first.plus(second),
                                "sequential, where passes never overlap, but a step may overlap a pass"),
                Figure.of("pipeline-vgg11-bubble", "VGG-11: bubble of both stages with 1f1b")
                        .ours(comparison.of(PipelineSchedule.ASYNC_1F1B, 1), "share")
                        .limit(1.0 / (MICRO_BATCHES + 1), "the closed form, which needs stages that are equally fast"));
    }

    /**
     * Returns the samples per second of two stages that compute beside each other as fast as they do alone: a window
     * takes as long as the slower one is busy, and one micro-batch's way through the other.
     */
    static double allowed(int samples, double first, double second, int microBatches) {
        return samples / (Math.max(first, second) + Math.min(first, second) / microBatches);
    }
}
