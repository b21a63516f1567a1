package org.fleetgrad.pipeline.training;

import java.util.Arrays;
import java.util.Optional;
import org.fleetgrad.pipeline.frame.Frame;
import org.fleetgrad.pipeline.schedule.StageOrder.Op.Kind;
import org.fleetgrad.pipeline.stage.StageNetwork;
import org.fleetgrad.pipeline.stage.TiedTensor;

/**
 * A stage's end of the tie between the first and the last stage. The first one sends values with a forward pass, the last one
 * its gradient after each backward pass. {@link TiedOrder} says when. Used by one thread at a time.
 */
final class TiedEnd {

    private final TiedTensor tensor;
    private final TiedOrder order;
    private final StageNetwork network;
    private Optional<Frame> outgoing = Optional.empty();

    TiedEnd(TiedTensor tensor, TiedOrder order, StageNetwork network) {
        this.tensor = tensor;
        this.order = order;
        this.network = network;
    }

    /** Returns whether the next pass needs a frame of the other end first. */
    boolean awaits(Kind pass, int microBatch) {
        return network.isLast() ? pass == Kind.FORWARD && order.changesAt(microBatch) : pass == Kind.BACKWARD;
    }

    /** Takes a frame that {@link #awaits} asked for. */
    void put(Frame frame) {
        if (network.isLast()) {
            network.writeTied(frame.values());
        } else {
            network.addTied(frame.values());
        }
    }

    /**
     * On the first stage: prepares the values of a micro-batch for the last one, if they are others than before.
     *
     * @param used all parameters, as its forward pass uses them; copied
     */
    void forward(int microBatch, long index, float[] used) {
        if (!network.isLast() && order.changesAt(microBatch)) {
            float[] values = Arrays.copyOfRange(used, tensor.offset(), tensor.offset() + tensor.count());
            outgoing = Optional.of(Frame.activation(index, values, tensor.frameShape()));
        }
    }

    /** On the last stage: prepares the gradient of the backward pass for the first one. */
    void backward(long index) {
        if (network.isLast()) {
            outgoing = Optional.of(Frame.gradient(index, network.tiedGradient(), tensor.frameShape()));
        }
    }

    /** Returns what the last pass prepared for the other end, once. */
    Optional<Frame> take() {
        Optional<Frame> taken = outgoing;
        outgoing = Optional.empty();
        return taken;
    }

    /** Returns the staleness of what the stage has of another's tensor: 0 on the first stage, whose tensor it is. */
    int staleness(int microBatch) {
        return network.isLast() ? order.stalenessAt(microBatch) : 0;
    }
}
