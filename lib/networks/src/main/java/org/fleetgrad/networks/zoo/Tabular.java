package org.fleetgrad.networks.zoo;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.NetworkFamily;
import org.fleetgrad.networks.NetworkName;
import org.fleetgrad.networks.Question.OneClass;
import org.fleetgrad.networks.TableTask;
import org.fleetgrad.networks.Task;
import org.fleetgrad.networks.layer.BatchNorm1d;
import org.fleetgrad.networks.layer.CategoryEmbeddings;
import org.fleetgrad.networks.layer.CategoryEmbeddings.Table;
import org.fleetgrad.networks.layer.Layer.ReLU;
import org.fleetgrad.networks.layer.Linear;
import org.fleetgrad.networks.layer.Residual;
import org.fleetgrad.networks.layer.Sequential;

/**
 * Networks for rows of tables. {@code tabular} is a perceptron: embeddings of the categories with many values, then a linear layer,
 * ReLU and dropout for each number in {@code hidden}, then the outputs. {@code tabular-resnet} has blocks {@code x +
 * linear(relu(linear(norm(x))))} of {@code width} features and twice as many within, after Y. Gorishniy et al., "Revisiting Deep
 * Learning Models for Tabular Data", 2021.
 */
final class Tabular implements NetworkFamily {

    private static final String PERCEPTRON = "tabular";
    private static final String RESNET = "tabular-resnet";
    private static final String HIDDEN = "hidden";
    private static final String LAYERS = "layers";
    private static final String WIDTH = "width";
    private static final String DROPOUT = "dropout";
    private static final int MOST = 65_536;
    private static final TableTask USUAL = new TableTask(10, List.of(), new OneClass(2));

    private static final Map<String, Map<String, String>> DEFAULTS = Map.of(
            PERCEPTRON, Map.of(HIDDEN, "128,64", DROPOUT, "0"),
            RESNET, Map.of(LAYERS, "2", WIDTH, "128", DROPOUT, "0"));

    @Override
    public List<String> names() {
        return List.of(PERCEPTRON, RESNET);
    }

    @Override
    public String describe(String base) {
        return base.equals(PERCEPTRON)
                ? "a perceptron for rows of tables, with embeddings of categories"
                : "a residual network for rows of tables (Gorishniy et al. 2021)";
    }

    @Override
    public Task usual(String base) {
        return USUAL;
    }

    @Override
    public SortedMap<String, String> defaults(String base, Task task) {
        return new TreeMap<>(Objects.requireNonNull(DEFAULTS.get(base)));
    }

    @Override
    public NetworkDefinition define(NetworkName name) {
        TableTask task = USUAL.stated(name);
        Sequential row = task.categories().isEmpty()
                ? Sequential.IDENTITY
                : Sequential.of(
                        "embeddings",
                        new CategoryEmbeddings(
                                task.numbers(),
                                task.categories().stream().map(Table::of).toList()));
        int features = row.output(task.input()).get(0);
        float dropout = name.probability(DROPOUT);
        Sequential layers = name.base().equals(PERCEPTRON)
                ? perceptron(row, features, name.numbers(HIDDEN, MOST), dropout, task.classes())
                : resNet(row, features, name.number(WIDTH, MOST), name.number(LAYERS, 1000), dropout, task.classes());
        return NetworkDefinition.of(name, task, layers);
    }

    private static Sequential perceptron(
            Sequential row, int features, List<Integer> hidden, float dropout, int outputs) {
        Sequential layers = row;
        int in = features;
        for (int i = 0; i < hidden.size(); i++) {
            int number = i + 1;
            layers = layers.then("fc" + number, Linear.standard(in, hidden.get(i)))
                    .then("relu" + number, new ReLU())
                    .thenDropout("dropout" + number, dropout);
            in = hidden.get(i);
        }
        return layers.then("fc" + (hidden.size() + 1), Linear.standard(in, outputs));
    }

    private static Sequential resNet(Sequential row, int features, int width, int blocks, float dropout, int outputs) {
        Sequential layers = row.then("first", Linear.standard(features, width));
        for (int i = 0; i < blocks; i++) {
            Sequential body = Sequential.of("norm", new BatchNorm1d(width))
                    .then("fc1", Linear.standard(width, 2 * width))
                    .then("relu", new ReLU())
                    .thenDropout("dropout", dropout)
                    .then("fc2", Linear.standard(2 * width, width));
            layers = layers.then("blocks." + i, Residual.of(body));
        }
        return layers.then("norm", new BatchNorm1d(width))
                .then("relu", new ReLU())
                .then("head", Linear.standard(width, outputs));
    }
}
