package org.fleetgrad.runs.resume;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.fleetgrad.networks.NetworkName;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.MetadataKeys;

/** A folder with a network and the values of its tensors: one of Hugging Face's, or one of {@code python/fleetgrad_export.py}. */
public final class ModelFolder {

    private ModelFolder() {}

    /** Returns whether a text names a folder and no network: it has a separator, or is a folder and no network is called so. */
    public static boolean isNamedBy(String text) {
        return text.contains("/")
                || text.contains("\\")
                || (text.matches("[\\w.-]+") && !Networks.names().contains(text) && Files.isDirectory(Path.of(text)));
    }

    /** Returns whether a folder has a network. */
    static boolean is(Path folder) {
        return ExportedFolder.is(folder) || HuggingFaceFolder.is(folder);
    }

    /** Opens a folder. */
    static TensorFile open(Path folder) throws IOException {
        return ExportedFolder.is(folder) ? ExportedFolder.open(folder) : HuggingFaceFolder.open(folder);
    }

    /** Returns the file of a folder's tensors. */
    public static Path tensors(Path folder) {
        return ExportedFolder.is(folder) ? ExportedFolder.tensors(folder) : HuggingFaceFolder.tensors(folder);
    }

    /**
     * Returns the network of a folder.
     *
     * @throws IllegalArgumentException if there is no such folder, or it has no network that can be read; the message says what to do
     */
    public static NetworkName network(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            throw new IllegalArgumentException("there is no such folder, and a network's name has no '/'");
        }
        if (!is(folder)) {
            throw new IllegalArgumentException(
                    "it has neither a network.json of python/fleetgrad_export.py nor a config.json of Hugging Face's");
        }
        return NetworkName.parse(open(folder).metadata().getOrDefault(MetadataKeys.NETWORK, ""));
    }
}
