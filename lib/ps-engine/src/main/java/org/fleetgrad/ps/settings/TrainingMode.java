package org.fleetgrad.ps.settings;

import org.fleetgrad.ps.aggregation.Aggregation;

/** When gradients are taken, and when the pending gradients become a step. */
public sealed interface TrainingMode {

    /**
     * A step every so many gradients or samples, from any worker and of any staleness.
     *
     * @param step size of a step
     */
    record Async(StepSize step) implements TrainingMode {

        public Async(int gradientsPerStep) {
            this(StepSize.ofGradients(gradientsPerStep));
        }

        @Override
        public String label() {
            return "async";
        }
    }

    /**
     * A step when the live workers have pushed for this version: synchronous SGD, staleness 0. The step takes the mean
     * of the first gradients; a later one is refused as stale (Chen et al., "Revisiting distributed synchronous SGD",
     * 2016).
     *
     * @param workersPerStep live workers that must have pushed; 0 for all but the backup workers. If fewer workers are
     *     live, all of them suffice, so that a dead worker cannot block the others
     * @param backupWorkers  live workers that may be late; only if {@code workersPerStep} is 0
     * @param aggregation    how their gradients become one
     */
    record Sync(int workersPerStep, int backupWorkers, Aggregation aggregation) implements TrainingMode {

        public Sync {
            if (workersPerStep < 0) {
                throw new IllegalArgumentException("workersPerStep must be 0 or more; it is " + workersPerStep);
            }
            if (backupWorkers < 0) {
                throw new IllegalArgumentException("backupWorkers must be 0 or more; it is " + backupWorkers);
            }
            if (workersPerStep > 0 && backupWorkers > 0) {
                throw new IllegalArgumentException(
                        "workersPerStep %d says how many make a step, so all others are backups: leave backupWorkers 0, not %d"
                                .formatted(workersPerStep, backupWorkers));
            }
        }

        /** The mean of the gradients. */
        public Sync(int workersPerStep, int backupWorkers) {
            this(workersPerStep, backupWorkers, new Aggregation.Mean());
        }

        public Sync(int workersPerStep) {
            this(workersPerStep, 0);
        }

        @Override
        public String label() {
            return backupWorkers > 0 ? "backup" : "sync";
        }

        /** Returns how many of {@code live} workers make a step. */
        public int wanted(int live) {
            int wanted = workersPerStep > 0 ? Math.min(workersPerStep, live) : live - backupWorkers;
            return Math.max(1, wanted);
        }
    }

    /**
     * A step when gradients over enough samples have arrived for this version, from any worker: synchronous SGD whose
     * batch does not depend on the number of workers. A worker may push several times for one version.
     *
     * @param samplesPerStep samples that make a step
     */
    record SyncBySamples(long samplesPerStep) implements TrainingMode {

        public SyncBySamples {
            if (samplesPerStep < 1) {
                throw new IllegalArgumentException("samplesPerStep must be 1 or more; it is " + samplesPerStep);
            }
        }

        @Override
        public String label() {
            return "sync";
        }
    }

    /**
     * Stale synchronous parallel: every gradient makes a step, but a worker that leads the slowest live one by more
     * than {@code maxLead} gradients waits for it (Ho et al., "More effective distributed ML via a stale synchronous
     * parallel parameter server", NIPS 2013). 0 is a barrier at every iteration.
     *
     * @param maxLead iterations that a worker may be ahead of the slowest when it begins another; the paper's staleness
     *     bound
     */
    record Ssp(int maxLead) implements TrainingMode {

        public Ssp {
            if (maxLead < 0) {
                throw new IllegalArgumentException("maxLead must be 0 or more; it is " + maxLead);
            }
        }

        @Override
        public String label() {
            return "ssp";
        }
    }

    String label();

    /** Returns how the gradients of a step become one. */
    default Aggregation aggregation() {
        return new Aggregation.Mean();
    }

    /** Tells whether only gradients on the newest version are taken. */
    default boolean isSynchronous() {
        return this instanceof Sync || this instanceof SyncBySamples;
    }

    /**
     * The size of a step: a number of gradients, or a number of training samples. With samples, the size of a step
     * depends neither on the number of workers nor on their batches.
     *
     * @param gradients gradients whose mean makes a step; 0 if samples decide
     * @param samples   samples that the gradients of a step are computed on; 0 if gradients decide
     */
    record StepSize(int gradients, long samples) {

        /** Checks that exactly one of the two numbers decides. */
        public StepSize {
            if (gradients < 0 || samples < 0 || (gradients == 0) == (samples == 0)) {
                throw new IllegalArgumentException(
                        "a step is made of gradients or of samples; they are %d and %d".formatted(gradients, samples));
            }
        }

        public static StepSize ofGradients(int gradients) {
            if (gradients < 1) {
                throw new IllegalArgumentException("gradientsPerStep must be 1 or more; it is " + gradients);
            }
            return new StepSize(gradients, 0);
        }

        /** Returns a step of at least so many samples; the last gradient may add a few more. */
        public static StepSize ofSamples(long samples) {
            if (samples < 1) {
                throw new IllegalArgumentException("samplesPerStep must be 1 or more; it is " + samples);
            }
            return new StepSize(0, samples);
        }

        /** Tells whether every gradient makes a step of its own. */
        public boolean isOneGradient() {
            return gradients == 1;
        }

        /** Tells whether so many gradients over so many samples make a step. */
        public boolean isReached(int gradientsNow, long samplesNow) {
            return gradients > 0 ? gradientsNow >= gradients : samplesNow >= samples;
        }
    }
}
