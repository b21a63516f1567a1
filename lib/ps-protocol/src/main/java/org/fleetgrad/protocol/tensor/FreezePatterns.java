package org.fleetgrad.protocol.tensor;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The setting of a run that says which tensors are frozen: patterns of their names, with commas between them, such as
 * {@code conv1.*,layer1.*}. Immutable.
 *
 * @param patterns sorted, each once, so that settings that mean the same are equal; empty if nothing is frozen
 */
public record FreezePatterns(List<TensorPattern> patterns) {

    /** Nothing is frozen. */
    public static final FreezePatterns NONE = new FreezePatterns(List.of());

    private static final String SETTING = "freeze";

    /** Sorts the patterns. */
    public FreezePatterns {
        patterns = patterns.stream()
                .map(TensorPattern::text)
                .distinct()
                .sorted()
                .map(TensorPattern::new)
                .toList();
    }

    /**
     * Reads the setting; a blank text freezes nothing.
     *
     * @throws IllegalArgumentException if a pattern is malformed; the message has it
     */
    public static FreezePatterns parse(String text) {
        return text.isBlank()
                ? NONE
                : new FreezePatterns(Arrays.stream(text.split(",", -1))
                        .map(String::strip)
                        .map(TensorPattern::new)
                        .toList());
    }

    /** Returns whether nothing is frozen. */
    public boolean isEmpty() {
        return patterns.isEmpty();
    }

    /**
     * Returns the tensors of a network that are frozen. If any tensor of a layer with state is frozen, the layer's state
     * is frozen, too: a BatchNorm whose scale stands still must not go on to observe other statistics.
     *
     * @param whole the network's complete layout, also if it is partitioned
     * @param state of the network
     * @throws IllegalArgumentException if a pattern matches no tensor, or if no parameter is left to train; the message
     *     has the names or the numbers
     */
    public FrozenTensors in(TensorLayout whole, ParameterState state) {
        if (isEmpty()) {
            return FrozenTensors.NONE;
        }
        NavigableSet<String> frozen = new TreeSet<>();
        for (TensorPattern pattern : patterns) {
            pattern.requireMatch(SETTING, whole);
            whole.specs().stream()
                    .map(TensorSpec::name)
                    .filter(pattern::matches)
                    .forEach(frozen::add);
        }
        Set<String> layers = new HashSet<>();
        frozen.forEach(name -> layers.add(layerOf(name)));
        whole.specs().stream()
                .map(TensorSpec::name)
                .filter(name -> state.has(name) && layers.contains(layerOf(name)))
                .forEach(frozen::add);
        List<String> parameters = whole.specs().stream()
                .map(TensorSpec::name)
                .filter(name -> !state.has(name))
                .toList();
        if (frozen.containsAll(parameters)) {
            throw new IllegalArgumentException("%s: '%s' matches all %d parameters: nothing is left to train"
                    .formatted(SETTING, this, parameters.size()));
        }
        return new FrozenTensors(frozen);
    }

    /** Returns the name of the layer that a tensor belongs to: what stands before the last dot. */
    private static String layerOf(String tensor) {
        return tensor.substring(0, Math.max(0, tensor.lastIndexOf('.')));
    }

    /** Returns the text that {@link #parse} reads; empty if nothing is frozen. */
    @Override
    public String toString() {
        return patterns.stream().map(TensorPattern::text).collect(Collectors.joining(","));
    }
}
