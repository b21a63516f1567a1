package org.fleetgrad.e2e.faults;

import java.util.ArrayList;
import java.util.List;
import org.fleetgrad.optim.StalenessAwareOptimizer;

/** Trains in one thread with the acknowledged gradients, without a server, to get the right parameters, bit for bit. */
final class Reference {

    private static final float[] NO_BASE = {};

    private final TrainingSetup setup;
    private final Gradients gradients;
    private final StalenessAwareOptimizer optimizer;
    private final float[] parameters;
    private final List<float[]> history = new ArrayList<>();
    private long version;
    private long trained;

    Reference(TrainingSetup setup, Gradients gradients) {
        this.setup = setup;
        this.gradients = gradients;
        this.optimizer = StalenessAwareOptimizer.create(setup.rule(), setup.optimizer(), Gradients.size());
        this.parameters = gradients.initial();
        remember();
    }

    long version() {
        return version;
    }

    float[] parameters() {
        return parameters;
    }

    /**
     * Makes the next step with these gradients; if there are several, their values are whole numbers, so their order
     * does not matter.
     */
    void step(List<Acknowledgement> taken) {
        float learningRate = setup.schedule().at(trained);
        String last = "";
        float[] sum = {};
        long samples = 0;
        for (Acknowledgement each : taken) {
            last = each.worker();
            float[] gradient = gradients.of(last, each.sequence());
            float[] base = optimizer.needsBase() ? history.get((int) each.baseVersion()) : NO_BASE;
            optimizer.arrive(last, version - each.baseVersion(), gradient, base, parameters, learningRate);
            if (taken.size() == 1) {
                sum = gradient;
            } else {
                sum = sum.length == 0 ? new float[gradient.length] : sum;
                add(sum, gradient, each.samples());
            }
            samples += each.samples();
        }
        if (taken.size() > 1) {
            float scale = (float) (1.0 / (double) samples);
            for (int i = 0; i < sum.length; i++) {
                sum[i] *= scale;
            }
        }
        optimizer.step(last, parameters, sum, learningRate);
        version++;
        trained += samples;
        remember();
    }

    private static void add(float[] sum, float[] gradient, long samples) {
        for (int i = 0; i < sum.length; i++) {
            sum[i] += (float) samples * gradient[i];
        }
    }

    private void remember() {
        if (optimizer.needsBase()) {
            history.add(parameters.clone());
        }
    }
}
