package org.fleetgrad.pipeline.training;

import java.util.Random;
import org.fleetgrad.pipeline.frame.Frame;
import org.fleetgrad.pipeline.stage.MicroBatch;

/** Micro-batches that depend only on their indices in the run: {@code first} is that of the window's first one. */
record TinyData(long first, int count, int samples) implements MicroBatches {

    static final int INPUTS = 5;
    static final int CLASSES = 3;

    static TinyData of(int count) {
        return new TinyData(0, count, 4);
    }

    @Override
    public MicroBatch at(int place, boolean withLabels) {
        long index = first + place;
        float[] labels = new float[withLabels ? samples : 0];
        for (int i = 0; i < labels.length; i++) {
            labels[i] = random(index, i).nextInt(CLASSES);
        }
        return new MicroBatch(index, 1000 + index, labels);
    }

    @Override
    public Frame samples(int place) {
        long index = first + place;
        float[] values = new float[samples * INPUTS];
        for (int i = 0; i < samples; i++) {
            Random random = random(index, i);
            int label = random.nextInt(CLASSES);
            for (int k = 0; k < INPUTS; k++) {
                values[i * INPUTS + k] = (float) random.nextGaussian() * 0.5f + (k == label ? 1 : 0);
            }
        }
        return Frame.activation(index, values, samples, INPUTS);
    }

    private static Random random(long index, int sample) {
        return new Random(index * 977 + sample);
    }
}
