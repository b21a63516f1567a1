package org.fleetgrad.networks.zoo;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.NetworkFamily;
import org.fleetgrad.networks.NetworkName;
import org.fleetgrad.networks.Question.OneClass;
import org.fleetgrad.networks.SeriesTask;
import org.fleetgrad.networks.Task;
import org.fleetgrad.networks.layer.BatchNorm1d;
import org.fleetgrad.networks.layer.Conv1d;
import org.fleetgrad.networks.layer.Layer.GlobalAvgPool1d;
import org.fleetgrad.networks.layer.Layer.MaxPool1d;
import org.fleetgrad.networks.layer.Layer.ReLU;
import org.fleetgrad.networks.layer.Linear;
import org.fleetgrad.networks.layer.Lstm;
import org.fleetgrad.networks.layer.Sequential;

/**
 * Networks for series. {@code kind=conv} has {@code layers} convolutions of {@code hidden} channels, each with batch normalization
 * and ReLU, and a max-pooling that halves the length between two; the mean of each channel goes to the head. It is the fully
 * convolutional network of Z. Wang, W. Yan, T. Oates, "Time Series Classification from Scratch with Deep Neural Networks", 2017, but
 * for the poolings. {@code kind=lstm} has {@code layers} LSTMs of {@code hidden} features, whose last state goes to the head.
 */
final class Series implements NetworkFamily {

    private static final String KIND = "kind";
    private static final String CONVOLUTION = "conv";
    private static final String LSTM = "lstm";
    private static final String HIDDEN = "hidden";
    private static final String LAYERS = "layers";
    private static final int MOST_HIDDEN = 4096;
    private static final int MOST_LAYERS = 100;

    /** Places that a convolution sees at a time. */
    private static final int KERNEL = 7;

    private static final SeriesTask USUAL = new SeriesTask(1, 128, new OneClass(2));

    @Override
    public List<String> names() {
        return List.of("series");
    }

    @Override
    public String describe(String base) {
        return "1-d convolutions for series (Wang et al. 2017), or with kind=lstm an LSTM";
    }

    @Override
    public Task usual(String base) {
        return USUAL;
    }

    @Override
    public SortedMap<String, String> defaults(String base, Task task) {
        return new TreeMap<>(Map.of(KIND, CONVOLUTION, HIDDEN, "64", LAYERS, "2"));
    }

    @Override
    public NetworkDefinition define(NetworkName name) {
        SeriesTask task = USUAL.stated(name);
        int hidden = name.number(HIDDEN, MOST_HIDDEN);
        int layers = name.number(LAYERS, MOST_LAYERS);
        Sequential features = name.choice(KIND, List.of(CONVOLUTION, LSTM)).equals(LSTM)
                ? Sequential.of("lstm", new Lstm(task.channels(), hidden, layers))
                : convolutions(task, hidden, layers);
        return NetworkDefinition.of(name, task, features.then("head", Linear.standard(hidden, task.classes())));
    }

    private static Sequential convolutions(SeriesTask task, int hidden, int layers) {
        Sequential all = Sequential.IDENTITY;
        int channels = task.channels();
        int length = task.length();
        for (int i = 1; i <= layers; i++) {
            all = all.then("conv" + i, new Conv1d(channels, hidden, KERNEL))
                    .then("norm" + i, new BatchNorm1d(hidden))
                    .then("relu" + i, new ReLU());
            if (i < layers && length > 1) {
                all = all.then("pool" + i, MaxPool1d.HALVES);
                length /= 2;
            }
            channels = hidden;
        }
        return all.then("pool", new GlobalAvgPool1d());
    }
}
