package org.fleetgrad.networks;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.fleetgrad.networks.Question.OneClass;
import org.fleetgrad.networks.Task.ImageClassification;
import org.fleetgrad.networks.Task.LanguageModel;
import org.fleetgrad.networks.Task.TextClassification;
import org.fleetgrad.networks.layer.Layer;
import org.fleetgrad.networks.layer.LayerJson;
import org.fleetgrad.networks.layer.Residual;
import org.fleetgrad.networks.layer.Sequential;
import org.fleetgrad.networks.layer.WrongArgumentException;

/**
 * Networks of a user's own jar, as every program but the user's command knows them: the layers are an argument of the name, as a graph of
 * PyTorch's is ({@link ExportedNetwork}). What they take says the name's beginning.
 */
final class LayersNetwork implements NetworkFamily {

    private static final String LAYERS = "layers";
    private static final String NONE = "none";
    private static final long MOST_VALUES = 1L << 30;

    private static final SortedMap<String, Task> USUAL = new TreeMap<>(Map.of(
            LAYERS,
            new ImageClassification(List.of(3, 224, 224), 1000),
            "token-layers",
            new LanguageModel(1024, 50_257),
            "text-layers",
            new TextClassification(512, 30_522, 2, 0),
            "row-layers",
            new TableTask(1, List.of(), new OneClass(2)),
            "series-layers",
            new SeriesTask(1, 128, new OneClass(2))));

    /**
     * Returns a network of the same layers whose name has them.
     *
     * @throws IllegalArgumentException if the name would be too long, or a layer is a graph; the message has the numbers
     */
    static NetworkDefinition of(NetworkDefinition network) {
        Task task = network.spec().task();
        String base = USUAL.entrySet().stream()
                .filter(usual -> usual.getValue().getClass().equals(task.getClass()))
                .findFirst()
                .orElseThrow()
                .getKey();
        NetworkName name = NetworkName.parse(base);
        for (Map.Entry<String, String> argument : task.arguments().entrySet()) {
            name = name.with(argument.getKey(), argument.getValue());
        }
        name = name.with(LAYERS, LayerJson.pack(network.layers()));
        // Checks the length, and that what travels is what is here.
        NetworkDefinition carried = Networks.named(name.toString());
        if (!carried.layers().equals(network.layers())) {
            throw new IllegalStateException("the layers of %s changed on their way"
                    .formatted(network.spec().name()));
        }
        return carried;
    }

    @Override
    public List<String> names() {
        return List.copyOf(USUAL.keySet());
    }

    @Override
    public String describe(String base) {
        return "a network of a user's own jar";
    }

    @Override
    public boolean isDefinedByArguments() {
        return true;
    }

    @Override
    public Task usual(String base) {
        Task task = USUAL.get(base);
        if (task == null) {
            throw new IllegalArgumentException("there are no layers called '%s'".formatted(base));
        }
        return task;
    }

    @Override
    public SortedMap<String, String> defaults(String base, Task task) {
        return new TreeMap<>(Map.of(LAYERS, NONE));
    }

    @Override
    public NetworkDefinition define(NetworkName name) {
        String packed = name.argument(LAYERS).orElse(NONE);
        if (packed.equals(NONE)) {
            throw new WrongArgumentException(
                    "the network '%s' is one of your own: pass the jar that has it, as --network-jar FILE"
                            .formatted(name.base()));
        }
        Task task = usual(name.base()).stated(name);
        try {
            Sequential layers = LayerJson.unpack(packed);
            requireSize(layers, task.input(), 0);
            return NetworkDefinition.of(name, task, layers);
        } catch (ArithmeticException tooLarge) {
            throw new WrongArgumentException("the layers are too large: " + tooLarge.getMessage());
        } catch (IllegalArgumentException broken) {
            throw new WrongArgumentException(String.valueOf(broken.getMessage()));
        }
    }

    /** Bounds the values that the layers compute of a sample, and returns how many they are with those before them. */
    private static long requireSize(Layer layer, List<Integer> input, long before) {
        long values = before;
        if (layer instanceof Sequential several) {
            List<Integer> shape = input;
            for (Sequential.Part part : several.parts()) {
                values = requireSize(part.layer(), shape, values);
                shape = part.layer().output(shape);
            }
            return values;
        }
        if (layer instanceof Residual residual) {
            values = requireSize(residual.body(), input, values);
            values = requireSize(residual.shortcut().layer(), input, values);
        }
        List<Integer> output = layer.output(input);
        if (output.stream().anyMatch(side -> side < 1)) {
            throw new IllegalArgumentException("a layer makes " + output);
        }
        values += output.stream().mapToLong(side -> side).reduce(1, Math::multiplyExact);
        if (values > MOST_VALUES) {
            throw new IllegalArgumentException(
                    "the layers compute more than %,d values of a sample".formatted(MOST_VALUES));
        }
        return values;
    }
}
