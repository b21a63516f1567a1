package org.fleetgrad.ps.training;

/** When buffered gradients become a step. */
public sealed interface TrainingMode {

    /**
     * A step every so many gradients, whoever sent them and however stale they are.
     *
     * @param gradientsPerStep gradients whose mean makes a step
     */
    record Async(int gradientsPerStep) implements TrainingMode {
        /** Checks the number. */
        public Async {
            if (gradientsPerStep < 1) {
                throw new IllegalArgumentException("gradientsPerStep must be 1 or more; it is " + gradientsPerStep);
            }
        }

        @Override
        public String label() {
            return "async";
        }
    }

    /**
     * A step when the live workers have pushed for this version: synchronous SGD, staleness 0.
     *
     * @param workersPerStep live workers that must have pushed; 0 for all of them. Never more than are live, so that a
     *     dead worker cannot hold the others
     */
    record Sync(int workersPerStep) implements TrainingMode {
        /** Checks the number. */
        public Sync {
            if (workersPerStep < 0) {
                throw new IllegalArgumentException("workersPerStep must be 0 or more; it is " + workersPerStep);
            }
        }

        @Override
        public String label() {
            return "sync";
        }
    }

    /** Returns the mode's name. */
    String label();
}
