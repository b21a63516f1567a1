package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.client.PullResult.Pulled;
import org.fleetgrad.libtorch.Device;
import org.fleetgrad.libtorch.Libtorch;
import org.fleetgrad.libtorch.Network;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.networks.Softmax;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.protocol.messages.WorkerMessages.RegisterWorkerRequest;
import org.fleetgrad.protocol.tensor.TensorSet;

/**
 * A model that one test alone changes, push by push, and of which it knows every answer: it pulls each version from the parameter
 * server, and computes it in a network of its own, one image at a time, since libtorch adds in another order in a larger batch.
 */
final class PushedModel implements AutoCloseable {

    /** Images that are asked about. */
    static final int IMAGES = 4;

    private static final NetworkDefinition LENET = Networks.usual("lenet5");
    private static final float MEAN = 0.1307f;
    private static final float STD = 0.3081f;

    private final PsClient server;
    private final Network network = Libtorch.open(LENET, Device.CPU);
    private final Map<ParameterVersion, List<float[]>> logits = new ConcurrentHashMap<>();
    private final float[] gradient =
            new float[Math.toIntExact(LENET.spec().layout().elementCount())];
    private Pulled newest;
    private int pushes;

    /** Puts the first version. */
    PushedModel(PsClient server) throws IOException {
        this.server = server;
        Random random = new Random(7);
        for (int i = 0; i < gradient.length; i++) {
            gradient[i] = (float) random.nextGaussian() * 1e-3f;
        }
        server.putInitial(TensorSet.ofFloats(
                LENET.spec().layout(), LENET.initialParameters(1), LENET.spec().metadata()));
        server.register(new RegisterWorkerRequest("w", "", null, "cpu"));
        this.newest = pull();
    }

    private Pulled pull() throws IOException {
        Pulled pulled = (Pulled) server.pull();
        network.load(pulled.parameters());
        List<float[]> all = new ArrayList<>();
        for (int image = 0; image < IMAGES; image++) {
            int[] pixels = pixels(image);
            float[] normalized = new float[pixels.length];
            for (int i = 0; i < pixels.length; i++) {
                normalized[i] = (pixels[i] / 255f - MEAN) / STD;
            }
            all.add(network.logits(normalized, 1));
        }
        logits.put(pulled.version(), all);
        return pulled;
    }

    /** Pushes a gradient, and returns the version that it makes. */
    ParameterVersion push() throws IOException {
        pushes++;
        ParameterVersion base = newest.version();
        server.as("w")
                .push(
                        new GradientMetadata("w", pushes, base.generation(), base.version(), 1, 1.0),
                        LENET.spec().layout(),
                        gradient,
                        false);
        newest = pull();
        assertThat(newest.version()).isEqualTo(new ParameterVersion(base.generation(), base.version() + 1));
        return newest.version();
    }

    /** Returns the pixels of an image. */
    static int[] pixels(int image) {
        return new Random(image).ints(LENET.spec().inputSize(), 0, 256).toArray();
    }

    /** Returns the logits of an image at a version, to the bit. */
    List<Float> logits(ParameterVersion version, int image) {
        return list(of(version, image));
    }

    /** Returns the probabilities of an image at a version, to the bit. */
    List<Float> probabilities(ParameterVersion version, int image) {
        return list(Softmax.probabilities(of(version, image)));
    }

    private float[] of(ParameterVersion version, int image) {
        assertThat(logits).as("the versions of the parameter server").containsKey(version);
        return Objects.requireNonNull(logits.get(version)).get(image);
    }

    /** Returns how many versions there were, of which no two have the same answers. */
    long versions() {
        return logits.keySet().stream()
                .map(version -> logits(version, 0))
                .distinct()
                .count();
    }

    private static List<Float> list(float[] values) {
        List<Float> list = new ArrayList<>();
        for (float value : values) {
            list.add(value);
        }
        return list;
    }

    @Override
    public void close() {
        network.close();
    }
}
