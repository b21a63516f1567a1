package org.fleetgrad.pipeline.training;

import java.io.IOException;
import java.util.Optional;
import org.fleetgrad.pipeline.channel.FrameLink;
import org.fleetgrad.pipeline.frame.Frame;
import org.fleetgrad.pipeline.frame.Frame.Direction;
import org.fleetgrad.pipeline.schedule.StageOrder;
import org.fleetgrad.pipeline.schedule.StageOrder.Op;
import org.fleetgrad.pipeline.schedule.StageOrder.Op.Kind;
import org.fleetgrad.pipeline.stage.MicroBatch;
import org.fleetgrad.pipeline.training.WindowReport.StageFigures;

/**
 * Runs one stage through windows: receives frames from its neighbours, computes in the order of the schedule, and sends. A
 * gradient is sent before the step, so that the previous stage computes in parallel with it.
 *
 * <p>A failure is reported to both neighbours, and through them to all stages. Used by one thread at a time.
 */
public final class StageLoop {

    private final Stage stage;
    private final StageLinks links;

    /** Makes a loop; the links may be used for several windows. */
    public StageLoop(Stage stage, StageLinks links) {
        this.stage = stage;
        this.links = links;
    }

    /**
     * Trains on a window, to its flush.
     *
     * @throws IOException          if a neighbour or a channel failed
     * @throws InterruptedException if this thread was interrupted; the neighbours are notified
     */
    public StageFigures run(MicroBatches window) throws IOException, InterruptedException {
        try {
            StageOrder order = stage.begin(window.count());
            for (Op op : order.ops()) {
                if (op.kind() == Kind.FORWARD) {
                    forward(window, op.microBatch());
                } else {
                    backward(window, op.microBatch());
                }
            }
            return stage.flush();
        } catch (IOException | InterruptedException | RuntimeException | Error failure) {
            links.fail(failure);
            throw failure;
        }
    }

    private void forward(MicroBatches window, int place) throws IOException, InterruptedException {
        MicroBatch batch = window.at(place, stage.place().isLast());
        Frame input = links.before().isPresent()
                ? receive(links.before().get(), Direction.FORWARD, batch.index())
                : window.samples(place);
        Optional<Frame> output = stage.forward(batch, input);
        if (output.isPresent()) {
            links.after().orElseThrow(this::unlinked).send(output.get());
        }
    }

    private void backward(MicroBatches window, int place) throws IOException, InterruptedException {
        long index = window.at(place, false).index();
        Optional<Frame> outputGradient = links.after().isPresent()
                ? Optional.of(receive(links.after().get(), Direction.BACKWARD, index))
                : Optional.empty();
        Optional<Frame> inputGradient = stage.backward(outputGradient);
        if (inputGradient.isPresent()) {
            links.before().orElseThrow(this::unlinked).send(inputGradient.get());
        }
        stage.finishMicroBatch();
    }

    private IllegalStateException unlinked() {
        return new IllegalStateException("stage %d has a frame to send and no channel for it"
                .formatted(stage.place().stage()));
    }

    private Frame receive(FrameLink link, Direction direction, long index) throws IOException, InterruptedException {
        Frame frame = link.receive();
        if (frame.direction() != direction || frame.microBatch() != index) {
            throw new IOException("stage %d expected %s of micro-batch %d, and received %s of micro-batch %d"
                    .formatted(stage.place().stage(), direction, index, frame.direction(), frame.microBatch()));
        }
        return frame;
    }

    /**
     * The connections of a stage to its neighbours.
     *
     * @param before to the stage before; empty on the first stage
     * @param after  to the stage after; empty on the last stage
     */
    public record StageLinks(Optional<FrameLink> before, Optional<FrameLink> after) {

        /** Notifies both neighbours that this stage failed. Any thread may call it. */
        public void fail(Throwable cause) {
            before.ifPresent(link -> link.fail(cause));
            after.ifPresent(link -> link.fail(cause));
        }

        /** Signals to both neighbours that no frame will follow. */
        public void finish() {
            after.ifPresent(FrameLink::finish);
            before.ifPresent(FrameLink::finish);
        }
    }
}
