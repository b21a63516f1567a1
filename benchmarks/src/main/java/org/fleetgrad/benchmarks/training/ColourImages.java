package org.fleetgrad.benchmarks.training;

import java.util.Random;
import org.fleetgrad.datasets.Samples;

/** Random images of CIFAR-10's shape: speed does not depend on what they show. */
public final class ColourImages {

    static final String DATASET = "noise";
    static final int CHANNELS = 3;
    static final int SIDE = 32;
    static final int CLASSES = 10;

    private ColourImages() {}

    /** Returns images with labels that take turns. */
    public static Samples generate(int count) {
        byte[] pixels = new byte[count * CHANNELS * SIDE * SIDE];
        new Random(1).nextBytes(pixels);
        byte[] labels = new byte[count];
        for (int i = 0; i < count; i++) {
            labels[i] = (byte) (i % CLASSES);
        }
        return new Samples(CHANNELS, SIDE, SIDE, pixels, labels);
    }
}
