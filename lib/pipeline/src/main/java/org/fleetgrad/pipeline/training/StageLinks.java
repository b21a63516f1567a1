package org.fleetgrad.pipeline.training;

import java.io.IOException;
import java.util.Optional;
import org.fleetgrad.pipeline.channel.FrameReceiver;
import org.fleetgrad.pipeline.channel.FrameSender;

/**
 * The ends of the channels between a stage and its neighbours.
 *
 * @param inputs          activations from the stage before; empty on the first stage
 * @param outputs         activations to the stage after; empty on the last stage
 * @param outputGradients gradients from the stage after; empty on the last stage
 * @param inputGradients  gradients to the stage before; empty on the first stage
 */
public record StageLinks(
        Optional<FrameReceiver> inputs,
        Optional<FrameSender> outputs,
        Optional<FrameReceiver> outputGradients,
        Optional<FrameSender> inputGradients) {

    /** Notifies both neighbours that this stage failed. Any thread may call it. */
    public void fail(Throwable cause) {
        inputs.ifPresent(link -> link.fail(cause));
        outputs.ifPresent(link -> link.fail(cause));
        outputGradients.ifPresent(link -> link.fail(cause));
        inputGradients.ifPresent(link -> link.fail(cause));
    }

    /** Closes all ends. */
    public void close() throws IOException {
        if (outputs.isPresent()) {
            outputs.get().close();
        }
        if (inputGradients.isPresent()) {
            inputGradients.get().close();
        }
        if (inputs.isPresent()) {
            inputs.get().close();
        }
        if (outputGradients.isPresent()) {
            outputGradients.get().close();
        }
    }
}
