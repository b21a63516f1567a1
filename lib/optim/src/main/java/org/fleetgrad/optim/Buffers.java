package org.fleetgrad.optim;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The named arrays of an optimizer, each with one value for each parameter. */
final class Buffers {

    private final int size;
    private final Map<String, float[]> values = new LinkedHashMap<>();

    Buffers(int size, String... names) {
        Checks.notNegative("the number of parameters", size);
        this.size = size;
        for (String name : names) {
            values.put(name, new float[size]);
        }
    }

    float[] get(String name) {
        return Optional.ofNullable(values.get(name)).orElseThrow();
    }

    Map<String, float[]> byName() {
        return values;
    }

    /** Copies the values of {@code others}. Changes nothing if the names or sizes differ. */
    void restore(Map<String, float[]> others) {
        if (!others.keySet().equals(values.keySet())) {
            throw new IllegalArgumentException(
                    "the optimizer's buffers are %s, the state's are %s".formatted(values.keySet(), others.keySet()));
        }
        others.forEach((name, other) -> {
            if (other.length != size) {
                throw new IllegalArgumentException("the optimizer has %d values, the state's buffer '%s' has %d"
                        .formatted(size, name, other.length));
            }
        });
        others.forEach((name, other) -> System.arraycopy(other, 0, get(name), 0, size));
    }
}
