package org.fleetgrad.worker.stage;

import java.io.IOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.fleetgrad.pipeline.channel.NeighbourFailedException;
import org.fleetgrad.pipeline.run.StageMessage;
import org.fleetgrad.pipeline.training.NormSum;

/**
 * The sum of squares of the gradient's norm, added up by the driver. The stage thread adds; the thread that reads the driver's
 * messages completes the sum.
 */
final class ControlNorm implements NormSum {

    private final Control control;
    private final BlockingQueue<Object> answers = new ArrayBlockingQueue<>(2);

    ControlNorm(Control control) {
        this.control = control;
    }

    @Override
    public double add(int stage, double squares) throws IOException, InterruptedException {
        control.tell(new StageMessage.NormPart(squares));
        Object answer = answers.take();
        if (answer instanceof Throwable cause) {
            throw new NeighbourFailedException("the sum of the gradient's norm", cause);
        }
        return (Double) answer;
    }

    /** Passes the driver's answer to the stage that waits for it. */
    void answered(double squares) {
        boolean unused = answers.offer(squares);
    }

    @Override
    public void fail(Throwable cause) {
        boolean unused = answers.offer(cause);
    }
}
