package org.fleetgrad.pipeline.training;

import java.io.IOException;
import java.util.Optional;
import java.util.stream.Stream;
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
 * <p>A failure is reported to every stage that this one is connected to, and through them to all. Used by one thread at a time.
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
        receiveTied(Kind.FORWARD, batch.index());
        Optional<Frame> output = stage.forward(batch, input);
        if (output.isPresent()) {
            links.after().orElseThrow(this::unlinked).send(output.get());
        }
        sendTied();
    }

    private void backward(MicroBatches window, int place) throws IOException, InterruptedException {
        long index = window.at(place, false).index();
        Optional<Frame> outputGradient = links.after().isPresent()
                ? Optional.of(receive(links.after().get(), Direction.BACKWARD, index))
                : Optional.empty();
        receiveTied(Kind.BACKWARD, index);
        Optional<Frame> inputGradient = stage.backward(outputGradient);
        if (inputGradient.isPresent()) {
            links.before().orElseThrow(this::unlinked).send(inputGradient.get());
        }
        sendTied();
        stage.finishMicroBatch();
    }

    private void receiveTied(Kind pass, long index) throws IOException, InterruptedException {
        if (stage.awaitsTied(pass)) {
            Direction direction = pass == Kind.FORWARD ? Direction.FORWARD : Direction.BACKWARD;
            stage.putTied(receive(links.tied().orElseThrow(this::unlinked), direction, index));
        }
    }

    /** Only after the neighbour's frame: that stage waits for it, and the other end of the tie is busy yet. */
    private void sendTied() throws IOException, InterruptedException {
        Optional<Frame> frame = stage.takeTied();
        if (frame.isPresent()) {
            links.tied().orElseThrow(this::unlinked).send(frame.get());
        }
    }

    private IllegalStateException unlinked() {
        return new IllegalStateException("stage %d has no channel for a frame that it sends or receives"
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
     * The connections of a stage to others.
     *
     * @param before to the stage before; empty on the first stage
     * @param after  to the stage after; empty on the last stage
     * @param tied   to the stage that shares a tensor; empty on most stages
     */
    public record StageLinks(Optional<FrameLink> before, Optional<FrameLink> after, Optional<FrameLink> tied) {

        /** Notifies the other stages that this one failed. Any thread may call it. */
        public void fail(Throwable cause) {
            all().forEach(link -> link.fail(cause));
        }

        /** Signals to the other stages that no frame will follow. */
        public void finish() {
            all().forEach(FrameLink::finish);
        }

        private Stream<FrameLink> all() {
            return Stream.of(after, before, tied).flatMap(Optional::stream);
        }
    }
}
