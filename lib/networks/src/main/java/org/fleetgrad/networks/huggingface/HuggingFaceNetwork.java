package org.fleetgrad.networks.huggingface;

import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import org.fleetgrad.networks.NetworkName;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.tensor.TensorSet;

/** The networks that Hugging Face's transformers have under the same names and shapes: GPT-2, and BERT that classifies. */
public final class HuggingFaceNetwork {

    /** Name of the configuration's file. */
    public static final String FILE = Gpt2Config.FILE;

    /** Length of the longest configuration that is read. */
    public static final int MOST_BYTES = Gpt2Config.MOST_BYTES;

    private static final String TYPE = "model_type";
    private static final List<String> TYPES = List.of("gpt2", BertConfig.TYPE);

    /** Names of the networks. */
    public static final List<String> NAMES = Networks.names().stream()
            .filter(name -> isFor(NetworkName.parse(name)))
            .toList();

    private HuggingFaceNetwork() {}

    /** Returns whether transformers have a network. */
    public static boolean isFor(NetworkName network) {
        return Gpt2Config.isFor(network) || BertConfig.isFor(network);
    }

    /**
     * Writes the configuration of a network, if transformers have it.
     *
     * @param network complete: with every argument
     * @param classes names of the first classes, if it classifies
     */
    public static Optional<byte[]> write(NetworkName network, List<String> classes) {
        if (Gpt2Config.isFor(network)) {
            return Optional.of(Gpt2Config.write(network));
        }
        return BertConfig.isFor(network) ? Optional.of(BertConfig.write(network, classes)) : Optional.empty();
    }

    /**
     * Reads a configuration and returns the name of its network; a BERT's lacks the context, which the dataset determines.
     *
     * @throws IllegalArgumentException if it is not the configuration of a network that Fleetgrad computes; the message has the
     *     key and the value, and completes a sentence whose subject is the file
     */
    public static NetworkName read(byte[] file) {
        ConfigFields fields = ConfigFields.parse(file, MOST_BYTES);
        String type = fields.required(
                        TYPE,
                        "\"%s\"".formatted(String.join("\" or \"", TYPES)),
                        value -> ConfigFields.isText(value, TYPES))
                .stringValue();
        return type.equals(BertConfig.TYPE) ? BertConfig.read(fields) : Gpt2Config.read(fields);
    }

    /**
     * Returns the file's name of each tensor, by Fleetgrad's name. Copies no values. Tensors that are not of the network keep their
     * names, so that whoever compares the layouts refuses them.
     *
     * @throws IllegalArgumentException if two tensors have one name, or if the logits of a tied network have a weight of their
     *     own
     */
    public static SortedMap<String, String> tensors(NetworkName network, TensorSet file) {
        return BertConfig.isFor(network)
                ? BertTensors.names(file)
                : Gpt2Tensors.names(file, Gpt2Config.isTied(network));
    }
}
