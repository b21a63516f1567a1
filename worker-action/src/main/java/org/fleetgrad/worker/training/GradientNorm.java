package org.fleetgrad.worker.training;

import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.protocol.tensor.ObservedState;

/**
 * Scales a gradient down if its norm is too large: {@code torch.nn.utils.clip_grad_norm_} with the L2 norm over all
 * parameters (R. Pascanu et al., "On the difficulty of training recurrent neural networks", 2013).
 *
 * <pre>g = g min(1, largest / (|g| + 1e-6))</pre>
 *
 * <p>The observed statistics of state tensors are not part of the norm, and are not scaled. Not thread-safe.
 */
final class GradientNorm {

    /** As in PyTorch. */
    private static final double EPSILON = 1e-6;

    private final ObservedState state;
    private final double largest;

    /**
     * @param largest norm; 0 for any
     */
    GradientNorm(NetworkSpec spec, double largest) {
        this.state = ObservedState.of(spec.layout(), spec.state());
        this.largest = largest;
    }

    /** Clips a gradient in place. A gradient that is not finite is left unchanged: its receiver refuses it. */
    void clip(float[] gradient) {
        if (largest == 0) {
            return;
        }
        float[] observed = state.take(gradient);
        double squares = 0;
        for (float value : gradient) {
            squares += (double) value * value;
        }
        double factor = largest / (Math.sqrt(squares) + EPSILON);
        if (factor < 1 && factor > 0) {
            float by = (float) factor;
            for (int i = 0; i < gradient.length; i++) {
                gradient[i] *= by;
            }
        }
        state.putBack(observed, gradient);
    }
}
