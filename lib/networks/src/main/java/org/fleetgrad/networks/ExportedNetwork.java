package org.fleetgrad.networks;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.fleetgrad.networks.Task.ImageClassification;
import org.fleetgrad.networks.graph.Graph;
import org.fleetgrad.networks.graph.GraphJson;
import org.fleetgrad.networks.graph.GraphPieces;
import org.fleetgrad.networks.layer.GraphLayer;
import org.fleetgrad.networks.layer.Sequential;
import org.fleetgrad.networks.layer.WrongArgumentException;

/**
 * Networks that {@code python/fleetgrad_export.py} made of a module of PyTorch's. The whole graph is an argument of the name, so whoever
 * has a parameter set has the network, and two networks of one name are the same.
 */
public final class ExportedNetwork implements NetworkFamily {

    /** The network's own name. */
    public static final String NAME = "graph";

    private static final String GRAPH = "graph";
    private static final String NONE = "none";

    /**
     * Returns whether a {@code network.json} is the graph of a name.
     *
     * @throws IllegalArgumentException if one of the two is broken, or the name is of another network
     */
    public static boolean isSame(NetworkName name, byte[] json) {
        String packed = name.argument(GRAPH)
                .filter(text -> name.base().equals(NAME))
                .orElseThrow(
                        () -> new IllegalArgumentException("its network is '%s', no graph".formatted(name.base())));
        return GraphJson.unpack(packed, name.input()).equals(GraphJson.read(json, name.input()));
    }

    @Override
    public List<String> names() {
        return List.of(NAME);
    }

    @Override
    public String describe(String base) {
        return "a module of PyTorch's that python/fleetgrad_export.py has exported";
    }

    @Override
    public boolean isDefinedByArguments() {
        return true;
    }

    @Override
    public Task usual(String base) {
        return new ImageClassification(List.of(3, 224, 224), 1000);
    }

    @Override
    public SortedMap<String, String> defaults(String base, Task task) {
        return new TreeMap<>(Map.of(GRAPH, NONE));
    }

    @Override
    public NetworkDefinition define(NetworkName name) {
        String packed = name.argument(GRAPH).orElse(NONE);
        if (packed.equals(NONE)) {
            throw new WrongArgumentException(
                    "the network 'graph' is one of your own: pass the folder that python/fleetgrad_export.py wrote, as --network FOLDER");
        }
        Graph graph;
        try {
            graph = GraphJson.unpack(packed, name.input());
        } catch (IllegalArgumentException broken) {
            throw new WrongArgumentException(String.valueOf(broken.getMessage()));
        }
        Sequential layers = Sequential.IDENTITY;
        for (Graph piece : GraphPieces.of(graph)) {
            layers = layers.then("", new GraphLayer(piece));
        }
        return NetworkDefinition.of(name, layers);
    }
}
