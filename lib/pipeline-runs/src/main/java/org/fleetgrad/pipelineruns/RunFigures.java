package org.fleetgrad.pipelineruns;

import java.util.List;
import java.util.stream.IntStream;
import org.fleetgrad.pipeline.run.StageMessage.WindowFigures;
import org.fleetgrad.pipeline.timeline.Span;
import org.fleetgrad.pipeline.timeline.Timeline;
import org.fleetgrad.pipeline.training.WindowReport.StageFigures;
import org.fleetgrad.protocol.work.ReportedProgress.Recent;

/** Adds up the stages' figures of their windows. Confined to one thread. */
final class RunFigures {

    /** Enough for the warm-up of many stages, and few enough to read. */
    private static final int MICRO_BATCHES_OF_PICTURE = 24;

    private final int stages;
    private final long[] staleness;
    private final long[] backwards;
    private final int[] versions;
    private final double[] peak;
    private long busy;
    private long wall;
    private double meanLoss = Double.NaN;
    private double accuracy = Double.NaN;
    private List<WindowFigures> last = List.of();

    RunFigures(int stages) {
        this.stages = stages;
        this.staleness = new long[stages];
        this.backwards = new long[stages];
        this.versions = new int[stages];
        this.peak = new double[stages];
    }

    /**
     * The figures up to now, which stay as they are.
     *
     * @param meanLoss      of the last window; NaN before one
     * @param accuracy      share of the last window's training samples classified correctly; NaN before one
     * @param bubble        share of all stages' time, between the first and the last pass of a window, in which they were idle
     * @param staleness     mean staleness of each stage's gradients, in steps
     * @param liveVersions  largest number of versions of the weights that each stage held
     * @param peakMebibytes largest resident memory of each stage's process
     * @param timeline      what the stages did at the beginning of the last window
     */
    record Totals(
            double meanLoss,
            double accuracy,
            double bubble,
            List<Double> staleness,
            List<Integer> liveVersions,
            List<Double> peakMebibytes,
            Timeline timeline) {}

    Totals totals() {
        return new Totals(meanLoss, accuracy, bubble(), staleness(), liveVersions(), peakMebibytes(), timeline());
    }

    /** Adds a window; {@code window} has the figures of each stage. */
    void add(List<WindowFigures> window) {
        long start = Long.MAX_VALUE;
        long end = Long.MIN_VALUE;
        for (WindowFigures figures : window) {
            StageFigures counted = figures.stage();
            int stage = counted.stage();
            staleness[stage] += figures.staleness();
            backwards[stage] += counted.microBatches();
            versions[stage] = Math.max(versions[stage], counted.mostVersions());
            peak[stage] = Math.max(peak[stage], figures.peakMebibytes());
            busy += figures.busyNanos();
            start = Math.min(start, figures.start());
            end = Math.max(end, figures.end());
            if (stage == stages - 1) {
                meanLoss = counted.meanLoss();
                accuracy = counted.accuracy();
            }
        }
        wall += end - start;
        last = List.copyOf(window);
    }

    private double bubble() {
        return wall == 0 ? 0 : Math.max(0, 1 - (double) busy / ((double) wall * stages));
    }

    private List<Double> staleness() {
        return IntStream.range(0, stages)
                .mapToObj(i -> backwards[i] == 0 ? 0.0 : (double) staleness[i] / backwards[i])
                .toList();
    }

    private List<Integer> liveVersions() {
        return IntStream.of(versions).boxed().toList();
    }

    private List<Double> peakMebibytes() {
        return IntStream.range(0, stages).mapToObj(i -> peak[i]).toList();
    }

    /** Returns the mean loss of the last window; NaN before one. */
    double meanLoss() {
        return meanLoss;
    }

    /** Returns the share of the last window's training samples classified correctly; NaN before one. */
    double accuracy() {
        return accuracy;
    }

    /** Returns the figures of the last window's steps; the staleness is a mean over the gradients of all stages. */
    Recent recent() {
        long sum = 0;
        long count = 0;
        long worst = 0;
        for (WindowFigures figures : last) {
            sum += figures.staleness();
            count += figures.stage().microBatches();
            worst = Math.max(worst, figures.worstStaleness());
        }
        return new Recent(meanLoss, count == 0 ? 0 : (double) sum / count, worst);
    }

    private Timeline timeline() {
        List<Span> spans =
                last.stream().flatMap(figures -> figures.spans().stream()).toList();
        long first = spans.stream().mapToLong(Span::microBatch).min().orElse(0);
        return new Timeline(
                stages,
                spans.stream()
                        .filter(span -> span.microBatch() < first + MICRO_BATCHES_OF_PICTURE)
                        .toList());
    }
}
