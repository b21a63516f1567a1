package org.fleetgrad.pipeline.training;

import java.io.IOException;
import org.fleetgrad.pipeline.channel.NeighbourFailedException;
import org.jspecify.annotations.Nullable;

/**
 * Adds up the contributions of all stages to the global norm of one step's gradient. Clipping by the global norm therefore
 * makes the stages wait for each other at every step.
 */
public interface NormSum {

    /**
     * Waits until all stages have contributed to their next step, and returns the sum over them, the same for all. It adds
     * in the order of the stages, so that the bits do not depend on the order of the calls.
     *
     * @param squares sum of the squares of this stage's gradient
     * @throws IOException if another stage failed
     */
    double add(int stage, double squares) throws IOException, InterruptedException;

    /** Makes all pending and later calls fail with this cause. */
    void fail(Throwable cause);

    /** The sum for stages of one process. Thread-safe. */
    static final class SharedNormSum implements NormSum {

        private final double[] squares;
        private final boolean[] hasContributed;
        private int missing;
        private long round;
        private double sum;
        private @Nullable Throwable cause;

        /** Makes a sum over this many stages. */
        public SharedNormSum(int stages) {
            this.squares = new double[stages];
            this.hasContributed = new boolean[stages];
            this.missing = stages;
        }

        @Override
        public synchronized double add(int stage, double ofStage) throws IOException, InterruptedException {
            requireNotFailed();
            if (hasContributed[stage]) {
                throw new IllegalStateException("stage %d contributed twice to step %d".formatted(stage, round));
            }
            squares[stage] = ofStage;
            hasContributed[stage] = true;
            missing--;
            if (missing == 0) {
                finishRound();
                return sum;
            }
            long ownRound = round;
            while (round == ownRound && cause == null) {
                wait();
            }
            requireNotFailed();
            // The next round ends only when this stage has contributed to it, so the sum is still that of this round.
            return sum;
        }

        private void finishRound() {
            sum = 0;
            for (int stage = 0; stage < squares.length; stage++) {
                sum += squares[stage];
                hasContributed[stage] = false;
            }
            missing = squares.length;
            round++;
            notifyAll();
        }

        @Override
        public synchronized void fail(Throwable why) {
            if (cause == null) {
                cause = why;
                notifyAll();
            }
        }

        private void requireNotFailed() throws NeighbourFailedException {
            if (cause != null) {
                throw new NeighbourFailedException("the sum of the gradient's norm", cause);
            }
        }
    }
}
