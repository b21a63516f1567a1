package org.fleetgrad.runs.resume;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.fleetgrad.networks.ExportedNetwork;
import org.fleetgrad.networks.NetworkName;
import org.fleetgrad.networks.graph.GraphJson;
import org.fleetgrad.protocol.MetadataKeys;

/** A folder that {@code python/fleetgrad_export.py} wrote: a graph, and the values of its tensors, whose metadata have the graph too. */
final class ExportedFolder {

    private static final String GRAPH = "network.json";
    private static final String TENSORS = "model.safetensors";

    private ExportedFolder() {}

    /** Returns whether a folder has a graph. */
    static boolean is(Path folder) {
        return Files.isRegularFile(folder.resolve(GRAPH));
    }

    /** Returns the file of the tensors. */
    static Path tensors(Path folder) {
        return folder.resolve(TENSORS);
    }

    /**
     * Opens a folder.
     *
     * @throws IllegalArgumentException if one of its files is missing, or they are of different exports
     */
    static TensorFile open(Path folder) throws IOException {
        Path file = tensors(folder);
        if (!Files.isRegularFile(file)) {
            throw new IllegalArgumentException(
                    "it has a %s and no %s: export it with python/fleetgrad_export.py".formatted(GRAPH, TENSORS));
        }
        TensorFile tensors = TensorFile.open(file);
        String name = tensors.metadata().get(MetadataKeys.NETWORK);
        if (name == null) {
            throw new IllegalArgumentException(
                    "its %s has no '%s' in its metadata: export it with python/fleetgrad_export.py"
                            .formatted(TENSORS, MetadataKeys.NETWORK));
        }
        byte[] json;
        try (InputStream in = Files.newInputStream(folder.resolve(GRAPH))) {
            json = in.readNBytes(GraphJson.MOST_BYTES + 1);
        }
        if (!ExportedNetwork.isSame(NetworkName.parse(name), json)) {
            throw new IllegalArgumentException(
                    "its %s and its %s are of different exports: export it anew".formatted(GRAPH, TENSORS));
        }
        return tensors;
    }
}
