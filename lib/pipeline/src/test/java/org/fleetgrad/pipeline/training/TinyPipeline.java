package org.fleetgrad.pipeline.training;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.LongSupplier;
import org.fleetgrad.optim.DecayRanges;
import org.fleetgrad.pipeline.cure.Combination;
import org.fleetgrad.pipeline.schedule.StagePlace;
import org.fleetgrad.pipeline.training.NormSum.SharedNormSum;
import org.fleetgrad.pipeline.training.StageSettings.StepRates;
import org.fleetgrad.pipeline.training.ThreadedPipeline.StageFailedException;

/** A network of eight layers in a number of stages that divides eight; the same network however it is cut. */
final class TinyPipeline implements AutoCloseable {

    static final int LAYERS = 8;
    static final float RATE = 0.2f;
    private static final int WIDTH = 6;

    final List<TinyStage> networks = new ArrayList<>();
    final List<Stage> stages = new ArrayList<>();
    final SharedNormSum norm;
    final ThreadedPipeline pipeline;

    TinyPipeline(int stages, Combination combination) {
        this(stages, combination, step -> RATE, 0);
    }

    TinyPipeline(int count, Combination combination, StepRates rates, float dropout) {
        this.norm = new SharedNormSum(count);
        LongSupplier clock = System::nanoTime;
        for (int stage = 0; stage < count; stage++) {
            TinyStage network = network(count, stage, dropout);
            StageSettings settings = new StageSettings(
                    new StagePlace(count, stage), combination, DecayRanges.all(network.parameterCount()), rates);
            networks.add(network);
            stages.add(new Stage(settings, network, initial(count, stage), norm, clock));
        }
        this.pipeline = new ThreadedPipeline(stages, norm);
    }

    static TinyStage network(int count, int stage, float dropout) {
        List<TinyLayer> layers = new ArrayList<>();
        int offset = 0;
        int each = LAYERS / count;
        for (int number = stage * each; number < (stage + 1) * each; number++) {
            boolean isLogits = number == LAYERS - 1;
            TinyLayer layer = new TinyLayer(
                    number == 0 ? TinyData.INPUTS : WIDTH,
                    isLogits ? TinyData.CLASSES : WIDTH,
                    offset,
                    number,
                    isLogits,
                    dropout);
            layers.add(layer);
            offset += layer.size();
        }
        return new TinyStage(layers);
    }

    static float[] initial(int count, int stage) {
        int each = LAYERS / count;
        float[] values = new float[network(count, stage, 0).parameterCount()];
        int at = 0;
        for (int number = stage * each; number < (stage + 1) * each; number++) {
            Random random = new Random(number);
            int inputs = number == 0 ? TinyData.INPUTS : WIDTH;
            int outputs = number == LAYERS - 1 ? TinyData.CLASSES : WIDTH;
            for (int i = 0; i < outputs * inputs + outputs; i++) {
                values[at++] = (float) (random.nextGaussian() * 0.6);
            }
        }
        return values;
    }

    WindowReport train(MicroBatches window) {
        try {
            return pipeline.train(window);
        } catch (StageFailedException | InterruptedException failure) {
            throw new IllegalStateException(failure);
        }
    }

    /** Returns the parameters of all stages, in the order of the layers. */
    float[] parameters() {
        float[][] parts =
                stages.stream().map(stage -> stage.state().parameters()).toArray(float[][]::new);
        return join(parts);
    }

    static float[] join(float[][] parts) {
        int size = 0;
        for (float[] part : parts) {
            size += part.length;
        }
        float[] all = new float[size];
        int at = 0;
        for (float[] part : parts) {
            System.arraycopy(part, 0, all, at, part.length);
            at += part.length;
        }
        return all;
    }

    /** Trains once from the initial weights, and returns the parameters. */
    static float[] trained(int stages, Combination combination, int microBatches) {
        try (TinyPipeline pipeline = new TinyPipeline(stages, combination)) {
            pipeline.train(TinyData.of(microBatches));
            return pipeline.parameters();
        }
    }

    @Override
    public void close() {
        pipeline.close();
    }
}
