package org.fleetgrad.e2e.faults;

import java.util.List;
import java.util.SplittableRandom;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSpec;

/**
 * Gradients that need not be stored: worker and sequence determine their bytes.
 *
 * @param isWhole whether the values are small whole numbers, whose weighted sum is exact in any order
 */
record Gradients(long seed, boolean isWhole) {

    static final TensorLayout LAYOUT = TensorLayout.canonical(List.of(
            TensorSpec.f32("fc1.weight", 24, 20), TensorSpec.f32("fc1.bias", 24), TensorSpec.f32("fc2.weight", 4, 24)));

    private static final int LARGEST_WHOLE = 8;
    private static final int MOST_SAMPLES = 32;

    static int size() {
        return (int) LAYOUT.elementCount();
    }

    float[] initial() {
        return values(new SplittableRandom(seed), false);
    }

    float[] of(String worker, long sequence) {
        return values(random(worker, sequence), isWhole);
    }

    long samples(String worker, long sequence) {
        return 1L + random(worker, ~sequence).nextInt(MOST_SAMPLES);
    }

    private SplittableRandom random(String worker, long sequence) {
        return new SplittableRandom(seed + 31L * worker.hashCode() + 1_000_003 * sequence);
    }

    private static float[] values(SplittableRandom random, boolean isWhole) {
        float[] values = new float[size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = isWhole ? random.nextInt(-LARGEST_WHOLE, LARGEST_WHOLE + 1) : (float) random.nextDouble(-1, 1);
        }
        return values;
    }
}
