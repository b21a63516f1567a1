package org.fleetgrad.ps.settings;

/**
 * The size of a step: a number of gradients, or a number of training samples. With samples, the size of a step depends
 * neither on the number of workers nor on their batches.
 *
 * @param gradients gradients whose mean makes a step; 0 if samples decide
 * @param samples   samples that the gradients of a step are computed on; 0 if gradients decide
 */
public record StepSize(int gradients, long samples) {

    /** Checks that exactly one of the two numbers decides. */
    public StepSize {
        if (gradients < 0 || samples < 0 || (gradients == 0) == (samples == 0)) {
            throw new IllegalArgumentException(
                    "a step is made of gradients or of samples; they are %d and %d".formatted(gradients, samples));
        }
    }

    /** Returns a step of so many gradients. */
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
