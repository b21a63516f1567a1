package org.fleetgrad.runs.resume;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.NetworkName;
import org.fleetgrad.protocol.NetworkTitle;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSpec;

/**
 * Compares the tensors of a file with those of a network.
 *
 * @param network the network that the file must fit
 * @param classes the least number of classes that the run needs
 * @param newHead whether the file's head is ignored
 */
record NetworkFit(NetworkDefinition network, int classes, boolean newHead) {

    /**
     * Checks that the file has the network's tensors.
     *
     * @throws IllegalArgumentException if it does not; the message has the first difference with both shapes, and what to
     *     pass instead
     */
    void require(TensorLayout file) {
        TensorLayout wanted = network.spec().layout();
        Optional<TensorLayout.LayoutDifference> body = body(wanted).firstDifference(body(file));
        if (body.isPresent()) {
            throw new IllegalArgumentException("it does not have the parameter set of the network '%s': %s%s"
                    .formatted(
                            NetworkTitle.of(network.spec().name()), body.get().message(), arguments()));
        }
        if (!newHead && wanted.firstDifference(file).isPresent()) {
            throw new IllegalArgumentException(head(file));
        }
    }

    private TensorLayout body(TensorLayout layout) {
        List<String> head = network.head();
        return TensorLayout.canonical(layout.specs().stream()
                .filter(spec -> !head.contains(spec.name()))
                .toList());
    }

    /** Describes which arguments of the network may be the reason. */
    private String arguments() {
        String others = NetworkName.parse(network.spec().name()).arguments().entrySet().stream()
                .filter(argument -> !argument.getKey().equals(NetworkName.CLASSES)
                        && !argument.getKey().equals(NetworkName.INPUT))
                .map(argument -> argument.getKey() + "=" + argument.getValue())
                .collect(Collectors.joining(" and "));
        return others.isEmpty() ? "" : "; the network has %s: pass --network with another value?".formatted(others);
    }

    private String head(TensorLayout file) {
        TensorLayout wanted = network.spec().layout();
        String tensor = network.head().stream()
                .filter(name -> !shape(file, name).equals(shape(wanted, name)))
                .findFirst()
                .orElseThrow();
        Optional<List<Long>> there = shape(file, tensor);
        return "its head '%s' %s, the network '%s' has %s: pass --new-head to initialize a new head for %d classes%s"
                .formatted(
                        tensor,
                        there.isPresent() ? "has shape " + there.get() : "is missing",
                        network.spec().name(),
                        shape(wanted, tensor).orElseThrow(),
                        network.spec().classes(),
                        there.isPresent() ? keeping(there.get()) : "");
    }

    /** Describes how to keep a head of more classes. */
    private String keeping(List<Long> head) {
        long there = head.isEmpty() ? 0 : head.get(0);
        if (there < classes || there == network.spec().classes()) {
            return "";
        }
        NetworkName name = NetworkName.parse(network.spec().name());
        return ", or --network \"%s\" to keep its %d"
                .formatted(name.with(NetworkName.CLASSES, Long.toString(there)), there);
    }

    private static Optional<List<Long>> shape(TensorLayout layout, String tensor) {
        return layout.indexOf(tensor).map(layout.specs()::get).map(TensorSpec::shape);
    }
}
