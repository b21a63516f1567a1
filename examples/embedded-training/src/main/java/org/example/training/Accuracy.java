package org.example.training;

import java.io.IOException;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.client.PullResult.Pulled;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.datasets.synth.SyntheticDigits;
import org.fleetgrad.libtorch.Device;
import org.fleetgrad.libtorch.Libtorch;
import org.fleetgrad.libtorch.Network;
import org.fleetgrad.networks.NetworkDefinition;

/** The share of unseen digits that the newest version gets right. */
final class Accuracy {

    private static final int SAMPLES = 500;

    private Accuracy() {}

    static double of(PsClient client, NetworkDefinition definition) throws IOException {
        // Another seed draws other digits.
        ImageSamples digits = SyntheticDigits.generate(SAMPLES, 2);
        Normalization normalization = Normalization.of(digits);
        float[] images = new float[SAMPLES * digits.imageBytes()];
        for (int i = 0; i < SAMPLES; i++) {
            normalization.normalize(digits, i, images, i * digits.imageBytes());
        }
        Pulled newest = (Pulled) client.pull();
        try (Network network = Libtorch.open(definition, Device.CPU)) {
            network.load(newest.parameters());
            float[] logits = network.logits(images, SAMPLES);
            int right = 0;
            for (int i = 0; i < SAMPLES; i++) {
                right += best(logits, i * SyntheticDigits.CLASSES) == digits.label(i) ? 1 : 0;
            }
            return (double) right / SAMPLES;
        }
    }

    private static int best(float[] logits, int from) {
        int best = 0;
        for (int digit = 1; digit < SyntheticDigits.CLASSES; digit++) {
            if (logits[from + digit] > logits[from + best]) {
                best = digit;
            }
        }
        return best;
    }
}
