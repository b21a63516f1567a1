package org.fleetgrad.runs.resume;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.fleetgrad.networks.NetworkName;
import org.fleetgrad.networks.huggingface.HuggingFaceNetwork;
import org.fleetgrad.protocol.MetadataKeys;
import org.fleetgrad.protocol.tensor.TensorSet;

/** A folder of Hugging Face's, as {@code save_pretrained} writes it: a configuration names the network of the tensors beside it. */
final class HuggingFaceFolder {

    private static final String TENSORS = "model.safetensors";

    private HuggingFaceFolder() {}

    /** Returns whether a folder has a configuration. */
    static boolean is(Path folder) {
        return Files.isRegularFile(folder.resolve(HuggingFaceNetwork.FILE));
    }

    /** Returns the file of the tensors. */
    static Path tensors(Path folder) {
        return folder.resolve(TENSORS);
    }

    /**
     * Opens a folder; its network is in the metadata.
     *
     * @throws IllegalArgumentException if it is of another network than a GPT-2 or a BERT, or has no file of all tensors; the message
     *     says what to do
     */
    static TensorFile open(Path folder) throws IOException {
        NetworkName network = network(folder.resolve(HuggingFaceNetwork.FILE));
        Path file = tensors(folder);
        if (!Files.isRegularFile(file)) {
            throw new IllegalArgumentException(
                    "it has no %s: write it with save_pretrained(folder, safe_serialization=True, max_shard_size=\"2GB\")"
                            .formatted(TENSORS));
        }
        TensorSet tensors = TensorFile.map(file);
        Map<String, String> metadata = new TreeMap<>(tensors.metadata());
        metadata.put(MetadataKeys.NETWORK, network.toString());
        return TensorFile.of(tensors, HuggingFaceNetwork.tensors(network, tensors), metadata);
    }

    private static NetworkName network(Path file) throws IOException {
        byte[] json;
        try (InputStream in = Files.newInputStream(file)) {
            json = in.readNBytes(HuggingFaceNetwork.MOST_BYTES + 1);
        }
        try {
            return HuggingFaceNetwork.read(json);
        } catch (IllegalArgumentException unfit) {
            throw new IllegalArgumentException(
                    "its %s: %s".formatted(HuggingFaceNetwork.FILE, unfit.getMessage()), unfit);
        }
    }
}
