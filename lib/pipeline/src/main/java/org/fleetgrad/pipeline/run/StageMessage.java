package org.fleetgrad.pipeline.run;

import java.util.List;
import org.fleetgrad.pipeline.run.Windows.Window;
import org.fleetgrad.pipeline.timeline.Span;
import org.fleetgrad.pipeline.training.WindowReport.StageFigures;

/** Messages between a stage and the driver over the control connection. Plain values. */
public sealed interface StageMessage {

    /** Stage: it listens for the previous stage on this port; 0 if no stage connects to it. */
    record Listening(int port) implements StageMessage {}

    /** Driver: the configuration of the stage. */
    record Configure(StageConfiguration configuration) implements StageMessage {}

    /** Stage: it has its weights, its data and its neighbours. */
    record Ready() implements StageMessage {}

    /** Driver: train on this window, then write the part of the flush under this number. */
    record Train(Window window, long flush) implements StageMessage {}

    /** Stage: its sum of squares of one step's gradient, for clipping. */
    record NormPart(double squares) implements StageMessage {}

    /** Driver: the sum over all stages. */
    record NormSum(double squares) implements StageMessage {}

    /** Last stage: the progress of the window. */
    record Progress(long microBatch) implements StageMessage {}

    /** Stage: its part of the flush is on disk. */
    record Flushed(Part part, WindowFigures figures) implements StageMessage {}

    /** Stage: it cannot continue. */
    record Failed(String reason, boolean isConsequence) implements StageMessage {}

    /** Driver: the run is over. */
    record End() implements StageMessage {}

    /**
     * A file of a flush.
     *
     * @param file   its name in the folder
     * @param bytes  its length
     * @param sha256 its digest
     */
    record Part(String file, long bytes, String sha256) {}

    /**
     * The figures of one stage for one window.
     *
     * @param stage        counted by the stage itself
     * @param worstStaleness largest staleness of a backward pass
     * @param staleness    sum of the staleness of all backward passes
     * @param busyNanos    time that the stage computed
     * @param start        of its first span, on this machine's monotonic clock
     * @param end          of its last span
     * @param peakMebibytes largest resident memory of its process; 0 if the system does not report it
     * @param spans        the first ones, for a picture
     */
    record WindowFigures(
            StageFigures stage,
            long worstStaleness,
            long staleness,
            long busyNanos,
            long start,
            long end,
            double peakMebibytes,
            List<Span> spans) {

        public WindowFigures {
            spans = List.copyOf(spans);
        }
    }
}
