package org.fleetgrad.protocol.tensor;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.fleetgrad.files.text.Printable;

/**
 * The state of a network: tensors of its parameter set that no optimizer steps, such as BatchNorm's running statistics.
 * In a gradient their positions carry the statistics that the worker observed. The server moves each value s towards
 * the observed one, o, over the H batches of the gradient:
 *
 * <pre>s = (1 - a) s + a o,   a = 1 - (1 - momentum)^H</pre>
 *
 * <p>{@link ObservedState#mergeInto} computes it. For one worker this is PyTorch's arithmetic. It is a convex combination, so a variance stays positive however
 * stale the observation is. Immutable.
 *
 * @param momenta for each tensor of state, by name: the share of one batch's statistics, above 0, at most 1
 */
public record ParameterState(SortedMap<String, Float> momenta) {

    /** Metadata key of a parameter set: a line for each tensor of state, such as {@code 0.1 bn1.running_mean}. */
    public static final String KEY = "state";

    /** No state: every tensor is stepped. */
    public static final ParameterState NONE = new ParameterState(new TreeMap<>());

    private static final String NUMBER = "\\d(\\.\\d{1,30})?([eE]-?\\d{1,2})?";

    /** Checks each momentum. */
    public ParameterState {
        momenta = Collections.unmodifiableSortedMap(new TreeMap<>(momenta));
        momenta.forEach((tensor, momentum) -> {
            if (!(momentum > 0 && momentum <= 1)) {
                throw new IllegalArgumentException(
                        Printable.text("the momentum of the state tensor '%s' is above 0 and at most 1; it is %s"
                                .formatted(tensor, momentum)));
            }
            if (tensor.isEmpty() || tensor.indexOf('\n') >= 0) {
                throw new IllegalArgumentException(Printable.text(
                        "a tensor of state has a name without line breaks; it is '%s'".formatted(tensor)));
            }
        });
    }

    /** Returns the state of these tensors, all with one momentum. */
    public static ParameterState of(Iterable<String> tensors, float momentum) {
        SortedMap<String, Float> momenta = new TreeMap<>();
        tensors.forEach(tensor -> momenta.put(tensor, momentum));
        return new ParameterState(momenta);
    }

    /**
     * Reads the state that a parameter set's metadata names; none if the key is absent.
     *
     * @throws IllegalArgumentException when a line is malformed; the message quotes it
     */
    public static ParameterState in(Map<String, String> metadata) {
        String text = metadata.getOrDefault(KEY, "");
        if (text.isEmpty()) {
            return NONE;
        }
        SortedMap<String, Float> momenta = new TreeMap<>();
        text.lines().forEach(line -> {
            int space = line.indexOf(' ');
            String number = space < 0 ? "" : line.substring(0, space);
            if (!number.matches(NUMBER) || space + 1 == line.length()) {
                throw new IllegalArgumentException(
                        Printable.text("a line of the metadata '%s' must be like '0.1 bn1.running_mean'; it is '%s'"
                                .formatted(KEY, line)));
            }
            if (momenta.put(line.substring(space + 1), Float.parseFloat(number)) != null) {
                throw new IllegalArgumentException(Printable.text(
                        "the metadata '%s' names the tensor '%s' twice".formatted(KEY, line.substring(space + 1))));
            }
        });
        return new ParameterState(momenta);
    }

    /** Writes the state as a metadata value; {@link #in} reads it. Empty if there is none. */
    public String text() {
        return momenta.entrySet().stream()
                .map(entry -> entry.getValue() + " " + entry.getKey())
                .collect(Collectors.joining("\n"));
    }

    /**
     * Returns whether a tensor is PyTorch's count of a BatchNorm's batches. It is not treated as state: the count
     * matters only to a BatchNorm without momentum.
     */
    public static boolean isBatchCount(TensorSpec tensor) {
        return tensor.dtype() == DType.I64 && tensor.name().endsWith("num_batches_tracked");
    }

    /** Returns whether there is none. */
    public boolean isEmpty() {
        return momenta.isEmpty();
    }

    /** Returns whether a tensor is state, or a partition's piece of such a tensor. */
    public boolean has(String tensor) {
        return momentum(tensor).isPresent();
    }

    /**
     * Returns the momentum of a tensor of state; nothing for other tensors. A partition names a piece of a tensor like
     * {@code bn1.running_mean[0:16]}.
     */
    public Optional<Float> momentum(String tensor) {
        Float exact = momenta.get(tensor);
        return Optional.ofNullable(exact == null ? momenta.get(TensorSpec.tensorOf(tensor)) : exact);
    }

    /** Returns the state of those tensors, or pieces of tensors, that a layout has. */
    public ParameterState within(TensorLayout layout) {
        SortedMap<String, Float> within = new TreeMap<>();
        layout.specs().forEach(spec -> momentum(spec.name()).ifPresent(momentum -> within.put(spec.name(), momentum)));
        return new ParameterState(within);
    }

    /**
     * Describes in one sentence how {@code other} differs from this state, and names the tensor; empty if it does not.
     */
    public Optional<TensorLayout.LayoutDifference> firstDifference(ParameterState other) {
        for (Map.Entry<String, Float> expected : momenta.entrySet()) {
            Float actual = other.momenta.get(expected.getKey());
            if (actual == null) {
                return Optional.of(new TensorLayout.LayoutDifference(
                        expected.getKey(),
                        "tensor '%s' is not declared as state; the parameter set has %d tensors of state, this has %d"
                                .formatted(expected.getKey(), momenta.size(), other.momenta.size())));
            }
            if (!actual.equals(expected.getValue())) {
                return Optional.of(new TensorLayout.LayoutDifference(
                        expected.getKey(),
                        "tensor '%s' is state with momentum %s, the parameter set has %s"
                                .formatted(expected.getKey(), actual, expected.getValue())));
            }
        }
        for (String actual : other.momenta.keySet()) {
            if (!has(actual)) {
                return Optional.of(new TensorLayout.LayoutDifference(
                        actual,
                        "tensor '%s' is declared as state, the parameter set has it as a parameter".formatted(actual)));
            }
        }
        return Optional.empty();
    }
}
