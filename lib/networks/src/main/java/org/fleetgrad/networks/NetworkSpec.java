package org.fleetgrad.networks;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.protocol.MetadataKeys;
import org.fleetgrad.protocol.NetworkTitle;
import org.fleetgrad.protocol.tensor.ParameterState;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorLayout.LayoutDifference;
import org.fleetgrad.protocol.tensor.TensorSet;

/**
 * The inputs, outputs and parameters of a network. All rules for them are checked here.
 *
 * @param name   complete: with every argument, such as {@code lenet5?classes=10&input=1x28x28}
 * @param task   what a sample is, and what is predicted of it
 * @param layout its parameters and state: float32, PyTorch's {@code state_dict} names, sorted by name
 * @param state  which tensors of the layout are state, and with what momentum
 */
public record NetworkSpec(String name, Task task, TensorLayout layout, ParameterState state) {

    private static final long MOST_VALUES = 1 << 26;

    public NetworkSpec {
        requireSize(name, "takes samples", task.input());
        requireSize(name, "answers with logits", task.output());
        if (!layout.isAllFloat32() || layout.byteLength() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("%s has parameters of %d bytes; they must be float32, %d bytes at most"
                    .formatted(NetworkTitle.of(name), layout.byteLength(), Integer.MAX_VALUE));
        }
        if (!layout.equals(TensorLayout.canonical(layout.specs()))) {
            throw new IllegalArgumentException("the tensors of %s are not sorted by name".formatted(name));
        }
        for (String tensor : state.momenta().keySet()) {
            if (layout.indexOf(tensor).isEmpty()) {
                throw new IllegalArgumentException("the state '%s' of %s is not in its layout".formatted(tensor, name));
            }
        }
        if (state.momenta().size() == layout.size()) {
            throw new IllegalArgumentException("%s has nothing to train".formatted(name));
        }
    }

    /** Returns the metadata of the network in each of its parameter sets: its name, and its state if it has any. */
    public Map<String, String> metadata() {
        return state.isEmpty()
                ? Map.of(MetadataKeys.NETWORK, name)
                : Map.of(MetadataKeys.NETWORK, name, ParameterState.KEY, state.text());
    }

    /** Compares a parameter set with this network: first the layout, then the state in its metadata. */
    public Optional<LayoutDifference> firstDifference(TensorSet set) {
        return layout.firstDifference(set.layout()).or(() -> state.firstDifference(ParameterState.in(set.metadata())));
    }

    private static void requireSize(String name, String what, List<Integer> shape) {
        if (shape.stream().anyMatch(side -> side < 1)
                || shape.stream().mapToLong(side -> side).reduce(1, Math::multiplyExact) > MOST_VALUES) {
            throw new IllegalArgumentException("%s %s of %s; each side must be 1 or more, and %d values are the most"
                    .formatted(name, what, shape, MOST_VALUES));
        }
    }

    /** Returns the shape of a sample. */
    public List<Integer> inputShape() {
        return task.input();
    }

    /** Returns the number of values of a sample. */
    public int inputSize() {
        return task.inputSize();
    }

    /** Returns the number of logits of one prediction. */
    public int classes() {
        return task.classes();
    }

    /** Returns the number of values that an optimizer steps. */
    public long parameterCount() {
        return layout.elementCount() - stateCount();
    }

    /** Returns the number of values that are state. */
    public long stateCount() {
        return layout.specs().stream()
                .filter(tensor -> state.has(tensor.name()))
                .mapToLong(tensor -> tensor.elementCount())
                .sum();
    }
}
