package org.fleetgrad.pipeline.training;

import org.fleetgrad.optim.Optimizer;
import org.fleetgrad.optim.OptimizerSettings;
import org.fleetgrad.pipeline.frame.Frame;
import org.fleetgrad.pipeline.stage.MicroBatch;
import org.fleetgrad.pipeline.stage.StageNetwork.Graph;
import org.fleetgrad.pipeline.stage.StageNetwork.StageActivation;
import org.fleetgrad.pipeline.stage.StageNetwork.WeightSlot;

/** The oracle without a pipeline: the complete network, a loop over batches, an optimizer. */
final class PlainTraining {

    private PlainTraining() {}

    /** Trains on micro-batches, {@code stepEvery} of them per step, and returns the parameters. */
    static float[] trained(OptimizerSettings settings, int stepEvery, int microBatches) {
        float[] parameters = TinyPipeline.initial(1, 0);
        Optimizer optimizer = Optimizer.create(settings, parameters.length);
        TinyStage network = TinyPipeline.network(1, 0, 0);
        TinyData data = TinyData.of(microBatches);
        for (int i = 0; i < microBatches; i++) {
            accumulate(network, parameters, data.at(i, true), data.samples(i), 1f / stepEvery);
            if (i % stepEvery == stepEvery - 1) {
                step(network, optimizer, parameters);
            }
        }
        return parameters;
    }

    /** Trains on batches of {@code together} micro-batches, each computed at once. */
    static float[] trainedOnWholeBatches(OptimizerSettings settings, int together, int microBatches) {
        float[] parameters = TinyPipeline.initial(1, 0);
        Optimizer optimizer = Optimizer.create(settings, parameters.length);
        TinyStage network = TinyPipeline.network(1, 0, 0);
        TinyData data = TinyData.of(microBatches);
        for (int first = 0; first < microBatches; first += together) {
            float[][] samples = new float[together][];
            float[] labels = new float[together * data.samples()];
            for (int j = 0; j < together; j++) {
                samples[j] = data.samples(first + j).toArray();
                System.arraycopy(data.at(first + j, true).targets(), 0, labels, j * data.samples(), data.samples());
            }
            float[] all = TinyPipeline.join(samples);
            Frame input = Frame.activation(first, all, labels.length, TinyData.INPUTS);
            accumulate(network, parameters, new MicroBatch(first, 0, labels), input, 1);
            step(network, optimizer, parameters);
        }
        return parameters;
    }

    private static void accumulate(TinyStage network, float[] parameters, MicroBatch batch, Frame input, float factor) {
        try (WeightSlot slot = network.allocate(parameters);
                StageActivation activation = network.forward(slot, batch, input, Graph.RETAINED)) {
            network.backwardFromLoss(activation, factor);
        }
    }

    private static void step(TinyStage network, Optimizer optimizer, float[] parameters) {
        optimizer.step(parameters, network.gradient(), TinyPipeline.RATE);
        network.clearGradient();
    }
}
