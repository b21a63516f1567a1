package org.fleetgrad.optim;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a {@link StalenessAwareOptimizer} remembers from gradient to gradient and from step to step.
 *
 * <p>What its optimizer remembers has names like {@code optimizer/momentum_buffer}, what the rule does like {@code
 * rule/average}, what the rule keeps of a worker like {@code rule/worker/w-1/momentum}; a worker's id may hold slashes.
 *
 * @param numbers counts and, where the name says so, the bits of a float
 * @param buffers one value for each parameter. The arrays are not copied
 */
public record RuleState(Map<String, Long> numbers, Map<String, float[]> buffers) {

    /** Fixes the names. */
    public RuleState {
        numbers = Collections.unmodifiableMap(new LinkedHashMap<>(numbers));
        buffers = Collections.unmodifiableMap(new LinkedHashMap<>(buffers));
    }

    /** Returns a state with copies of the arrays, which later gradients and steps leave alone. */
    public RuleState copy() {
        Map<String, float[]> copies = new LinkedHashMap<>();
        buffers.forEach((name, values) -> copies.put(name, Arrays.copyOf(values, values.length)));
        return new RuleState(numbers, copies);
    }
}
