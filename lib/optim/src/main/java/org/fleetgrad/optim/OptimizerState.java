package org.fleetgrad.optim;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The state that an optimizer carries from step to step.
 *
 * @param steps   number of steps begun
 * @param buffers one value for each parameter, under PyTorch's names: {@code momentum_buffer}; {@code exp_avg},
 *     {@code exp_avg_sq}, {@code max_exp_avg_sq}. The arrays are not copied
 */
public record OptimizerState(long steps, Map<String, float[]> buffers) {

    public OptimizerState {
        Checks.notNegative("the number of steps", steps);
        buffers = Collections.unmodifiableMap(new LinkedHashMap<>(buffers));
    }

    /** Returns a state with copies of the arrays, which later steps do not change. */
    public OptimizerState copy() {
        Map<String, float[]> copies = new LinkedHashMap<>();
        buffers.forEach((name, values) -> copies.put(name, Arrays.copyOf(values, values.length)));
        return new OptimizerState(steps, copies);
    }
}
