package org.fleetgrad.ps.training;

/**
 * How much makes a step: a number of gradients, or a number of training samples, so that the number of workers and the
 * size of their batches do not change what a step is.
 *
 * @param gradients gradients whose mean makes a step; 0 where samples decide
 * @param samples   samples that the gradients must be the mean over; 0 where gradients decide
 */
public record StepSize(int gradients, long samples) {

    /** Checks that exactly one of them decides. */
    public StepSize {
        if (gradients < 0 || samples < 0 || (gradients == 0) == (samples == 0)) {
            throw new IllegalArgumentException(
                    "a step is made of gradients or of samples; they are %d and %d".formatted(gradients, samples));
        }
    }

    /** Returns the step of so many gradients. */
    public static StepSize ofGradients(int gradients) {
        if (gradients < 1) {
            throw new IllegalArgumentException("gradientsPerStep must be 1 or more; it is " + gradients);
        }
        return new StepSize(gradients, 0);
    }

    /** Returns the step of so many samples, or of the few more that the last gradient brings. */
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

    boolean isReached(int gradientsNow, long samplesNow) {
        return gradients > 0 ? gradientsNow >= gradients : samplesNow >= samples;
    }
}
