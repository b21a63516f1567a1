package org.fleetgrad.networks;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.fleetgrad.networks.Question.OneClass;
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
        List<Integer> input = input(name);
        return GraphJson.unpack(packed, input).equals(GraphJson.read(json, input));
    }

    /** Returns the shape of a sample: channels, height and width of an image; channels and length of a series; numbers of a row. */
    private static List<Integer> input(NetworkName name) {
        if (name.argument(TableTask.NUMBERS).isPresent()) {
            return List.of(name.number(TableTask.NUMBERS, TableTask.MOST_VALUES));
        }
        boolean isSeries = name.argument(NetworkName.INPUT)
                .filter(shape -> shape.indexOf('x') == shape.lastIndexOf('x'))
                .isPresent();
        return isSeries ? name.series() : name.input();
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

    /** Of rows and series the dataset decides what is predicted; until there is one, it is a class for each output. */
    @Override
    public Task usual(NetworkName name) {
        if (name.argument(NetworkName.INPUT).isEmpty()
                && name.argument(TableTask.NUMBERS).isEmpty()) {
            return usual(name.base());
        }
        List<Integer> input = input(name);
        if (input.size() == 3) {
            return usual(name.base());
        }
        boolean isStated = RowTask.QUESTIONS.stream()
                .anyMatch(argument -> name.argument(argument).isPresent());
        Question question = isStated
                ? Question.stated(name)
                : new OneClass(Math.toIntExact(graph(name, input).output().get(0)));
        return input.size() == 1
                ? new TableTask(input.get(0), List.of(), question)
                : new SeriesTask(input.get(0), input.get(1), question);
    }

    @Override
    public SortedMap<String, String> defaults(String base, Task task) {
        return new TreeMap<>(Map.of(GRAPH, NONE));
    }

    @Override
    public NetworkDefinition define(NetworkName name) {
        Task task = usual(name).stated(name);
        Graph graph = graph(name, task.input());
        List<Long> wanted = task.output().stream().map(Integer::longValue).toList();
        if (task instanceof RowTask row && !graph.output().equals(wanted)) {
            throw new IllegalArgumentException(
                    "the graph's output is %s, and that for %s is %s: export a module of that width"
                            .formatted(graph.output(), row.question(), wanted));
        }
        Sequential layers = Sequential.IDENTITY;
        for (Graph piece : GraphPieces.of(graph)) {
            layers = layers.then("", new GraphLayer(piece));
        }
        return NetworkDefinition.of(name, task, layers);
    }

    private static Graph graph(NetworkName name, List<Integer> input) {
        String packed = name.argument(GRAPH).orElse(NONE);
        if (packed.equals(NONE)) {
            throw new WrongArgumentException(
                    "the network 'graph' is one of your own: pass the folder that python/fleetgrad_export.py wrote, as --network FOLDER");
        }
        try {
            return GraphJson.unpack(packed, input);
        } catch (IllegalArgumentException broken) {
            throw new WrongArgumentException(String.valueOf(broken.getMessage()));
        }
    }
}
