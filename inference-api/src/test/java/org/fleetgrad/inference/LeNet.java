package org.fleetgrad.inference;

import java.util.Map;
import java.util.Random;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.fleetgrad.libtorch.Device;
import org.fleetgrad.libtorch.Libtorch;
import org.fleetgrad.libtorch.Network;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.MetadataKeys;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.tensor.TensorSet;

/** LeNet-5 for tests: parameters by version, images by seed, and the network's own answers to them. */
final class LeNet {

    static final NetworkSpec SPEC = Networks.usual("lenet5").spec();
    private static final float MEAN = 0.1307f;
    private static final float STD = 0.3081f;

    private LeNet() {}

    /** Returns the parameters of a version; each version has different ones. */
    static float[] parameters(ParameterVersion version) {
        return Networks.usual("lenet5").initialParameters(version.version());
    }

    /** Returns the parameter set of a version, which names the network. */
    static TensorSet set(ParameterVersion version, Map<String, String> metadata) {
        Map<String, String> all = new TreeMap<>(metadata);
        all.putIfAbsent(MetadataKeys.NETWORK, SPEC.name());
        return TensorSet.ofFloats(SPEC.layout(), parameters(version), all);
    }

    static int[] image(long seed) {
        Random random = new Random(seed);
        int[] pixels = new int[SPEC.inputSize()];
        for (int i = 0; i < pixels.length; i++) {
            pixels[i] = random.nextInt(256);
        }
        return pixels;
    }

    static String json(int[] pixels) {
        StringJoiner values = new StringJoiner(",", "[", "]");
        for (int pixel : pixels) {
            values.add(Integer.toString(pixel));
        }
        return values.toString();
    }

    static float[] normalized(int[] pixels) {
        float[] values = new float[pixels.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = (pixels[i] / 255f - MEAN) / STD;
        }
        return values;
    }

    /** Computes the logits directly, without the service. */
    static float[] logits(ParameterVersion version, float[] images, int count) {
        try (Network network = Libtorch.open(Networks.usual("lenet5"), Device.CPU)) {
            network.load(TensorSet.ofFloats(SPEC.layout(), parameters(version), Map.of()));
            return network.logits(images, count);
        }
    }
}
