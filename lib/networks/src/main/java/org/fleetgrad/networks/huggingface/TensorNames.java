package org.fleetgrad.networks.huggingface;

import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.fleetgrad.files.text.Printable;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;

/** Finds the tensors of a network in a file that may call them otherwise. */
final class TensorNames {

    private TensorNames() {}

    /**
     * Returns the file's name of each tensor, by Fleetgrad's name.
     *
     * @param own     turns the file's name into Fleetgrad's
     * @param ofNoUse matches the names of tensors that the network does not have
     * @param network what it is, for the message
     * @throws IllegalArgumentException if two tensors have one name
     */
    static SortedMap<String, String> of(TensorSet file, UnaryOperator<String> own, Pattern ofNoUse, String network) {
        SortedMap<String, String> names = new TreeMap<>();
        for (TensorSpec tensor : file.layout().specs()) {
            String name = own.apply(tensor.name());
            if (ofNoUse.matcher(name).matches()) {
                continue;
            }
            String other = names.put(name, tensor.name());
            if (other != null) {
                throw new IllegalArgumentException(
                        Printable.text("it has a tensor '%s' and a tensor '%s', which are the same of a %s"
                                .formatted(other, tensor.name(), network)));
            }
        }
        return names;
    }
}
