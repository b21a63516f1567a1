package org.fleetgrad.optim;

import java.util.Objects;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;

/** The optimizer of {@link SgdSettings}. */
final class Sgd implements Optimizer {

    private final int size;
    private final float momentum;
    private final float freshShare;
    private final boolean isNesterov;
    private final float weightDecay;
    private final StepRanges ranges;
    private final Buffers buffers;
    private final float[] momentumBuffer;
    private long steps;

    Sgd(SgdSettings settings, StepRanges ranges) {
        this.ranges = ranges;
        this.size = ranges.size();
        this.momentum = settings.momentum();
        this.freshShare = (float) (1 - Decimals.written(settings.dampening()));
        this.isNesterov = settings.nesterov();
        this.weightDecay = settings.weightDecay();
        this.buffers = momentum == 0 ? new Buffers(size) : new Buffers(size, "momentum_buffer");
        this.momentumBuffer = momentum == 0 ? new float[0] : buffers.get("momentum_buffer");
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public Step beginStep(float learningRate) {
        Checks.notNegative("the learning rate", learningRate);
        boolean isFirst = steps == 0;
        float[] rates = ranges.rates().rates(learningRate);
        steps++;
        return (parameters, gradient, from, to) -> {
            Checks.sizes(size, parameters, gradient);
            Objects.checkFromToIndex(from, to, size);
            ranges.rates()
                    .each(
                            from,
                            to,
                            (first, last, range) -> ranges.decay()
                                    .each(
                                            first,
                                            last,
                                            weightDecay,
                                            (begin, end, decay) -> apply(
                                                    parameters, gradient, decay, begin, end, -rates[range], isFirst)));
        };
    }

    private void apply(
            float[] parameters, float[] gradient, float decay, int from, int to, float rate, boolean isFirst) {
        if (momentum == 0) {
            Elementwise.descend(parameters, gradient, decay, rate, from, to);
            return;
        }
        if (isNesterov) {
            Elementwise.descendWithNesterov(parameters, gradient, decay, momentumBuffer, momentum, rate, from, to);
        } else {
            // In the first step the buffer is zero, so with a factor of 1 it becomes the gradient itself, undampened.
            float fresh = isFirst ? 1 : freshShare;
            Elementwise.descendWithMomentum(
                    parameters, gradient, decay, momentumBuffer, momentum, fresh, rate, from, to);
        }
    }

    @Override
    public OptimizerState state() {
        return new OptimizerState(steps, buffers.byName());
    }

    @Override
    public void restore(OptimizerState state) {
        buffers.restore(state.buffers());
        steps = state.steps();
    }
}
