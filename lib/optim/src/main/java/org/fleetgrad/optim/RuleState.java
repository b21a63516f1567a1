package org.fleetgrad.optim;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The state that a {@link StalenessAwareOptimizer} carries from gradient to gradient and from step to step.
 *
 * <p>The optimizer's state has names like {@code optimizer/momentum_buffer}, the rule's like {@code rule/average}, and
 * the rule's for one worker like {@code rule/worker/w-1/momentum}; the id of a worker may contain slashes.
 *
 * @param numbers counts and, if the name says so, the bits of a float
 * @param buffers one value for each parameter. The arrays are not copied
 */
public record RuleState(Map<String, Long> numbers, Map<String, float[]> buffers) {

    public RuleState {
        numbers = Collections.unmodifiableMap(new LinkedHashMap<>(numbers));
        buffers = Collections.unmodifiableMap(new LinkedHashMap<>(buffers));
    }

    /** Returns a state with copies of the arrays, which later gradients and steps do not change. */
    public RuleState copy() {
        Map<String, float[]> copies = new LinkedHashMap<>();
        buffers.forEach((name, values) -> copies.put(name, Arrays.copyOf(values, values.length)));
        return new RuleState(numbers, copies);
    }
}
