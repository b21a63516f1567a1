package org.fleetgrad.pipeline.training;

import java.util.Random;

/**
 * A dense layer of the tests' network: {@code h = mask tanh(W x + b)}, or logits without both. Weights are at {@code offset}
 * in a slot: W row by row, then b.
 */
record TinyLayer(int inputs, int outputs, int offset, int number, boolean isLogits, float dropout) {

    int size() {
        return outputs * inputs + outputs;
    }

    /** Activations before the mask, and the masked ones; of all samples. */
    record Pass(float[] input, float[] active, float[] mask) {
        float[] output() {
            float[] output = new float[active.length];
            for (int i = 0; i < output.length; i++) {
                output[i] = active[i] * mask[i];
            }
            return output;
        }
    }

    Pass forward(float[] weights, float[] input, long seed) {
        int samples = input.length / inputs;
        float[] active = new float[samples * outputs];
        for (int n = 0; n < samples; n++) {
            for (int o = 0; o < outputs; o++) {
                float sum = weights[offset + outputs * inputs + o];
                for (int i = 0; i < inputs; i++) {
                    sum += weights[offset + o * inputs + i] * input[n * inputs + i];
                }
                active[n * outputs + o] = isLogits ? sum : (float) StrictMath.tanh(sum);
            }
        }
        return new Pass(input, active, mask(active.length, seed));
    }

    private float[] mask(int size, long seed) {
        Random random = new Random(seed * 31 + number);
        float[] mask = new float[size];
        for (int i = 0; i < size; i++) {
            boolean isDropped = !isLogits && random.nextFloat() < dropout;
            mask[i] = isDropped ? 0 : isLogits ? 1 : 1 / (1 - dropout);
        }
        return mask;
    }

    /**
     * Adds to {@code gradient}, and returns the gradient with respect to the input. The matrix is the current one in
     * {@code weights}.
     */
    float[] backward(float[] weights, Pass pass, float[] outputGradient, float[] gradient) {
        int samples = pass.input().length / inputs;
        float[] inputGradient = new float[pass.input().length];
        for (int n = 0; n < samples; n++) {
            for (int o = 0; o < outputs; o++) {
                int at = n * outputs + o;
                float active = pass.active()[at];
                float slope = isLogits ? 1 : 1 - active * active;
                float by = outputGradient[at] * pass.mask()[at] * slope;
                gradient[offset + outputs * inputs + o] += by;
                for (int i = 0; i < inputs; i++) {
                    gradient[offset + o * inputs + i] += by * pass.input()[n * inputs + i];
                    inputGradient[n * inputs + i] += by * weights[offset + o * inputs + i];
                }
            }
        }
        return inputGradient;
    }
}
