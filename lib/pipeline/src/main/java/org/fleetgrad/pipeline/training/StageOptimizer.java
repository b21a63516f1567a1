package org.fleetgrad.pipeline.training;

import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import org.fleetgrad.optim.RuleState;
import org.fleetgrad.optim.StalenessAwareOptimizer;
import org.fleetgrad.optim.StalenessRule;
import org.fleetgrad.optim.WeightPrediction;
import org.fleetgrad.pipeline.cure.Combination.StagePrediction;
import org.fleetgrad.pipeline.cure.GapPenalty;
import org.fleetgrad.pipeline.stage.StageNetwork;
import org.fleetgrad.pipeline.stage.StageNetwork.WeightSlot;
import org.jspecify.annotations.Nullable;

/** The current weights of a stage, their updates by gap penalty, clipping and optimizer, and their prediction. */
final class StageOptimizer {

    /** The worker name for staleness rules; a stage is the only worker. */
    private static final String STAGE = "stage";

    /** The value of FTPipe and PyTorch; avoids a division by zero. */
    private static final double CLIP_EPSILON = 1e-6;

    private static final float[] NOTHING_GATHERED = new float[0];

    private final StageSettings settings;
    private final float[] parameters;
    private final StalenessAwareOptimizer optimizer;
    private final Optional<GapPenalty> penalty;
    private final Optional<StagePrediction> how;
    private final @Nullable WeightPrediction prediction;
    private final boolean needsBase;
    private final NormSum norm;
    /** Predicted weights, or the reference weights of the gap: never both at the same time. Empty until it is needed. */
    private float[] scratch = new float[0];

    private long steps;

    /** @param initial the initial weights; this object takes ownership, no copy is made */
    StageOptimizer(StageSettings settings, float[] initial, NormSum norm) {
        this.settings = settings;
        this.norm = norm;
        this.parameters = initial;
        var ofStage = settings.combination().optimizerAt(settings.place());
        this.penalty = settings.combination().gapPenaltyAt(settings.place());
        StalenessRule rule = penalty.<StalenessRule>map(GapPenalty::rule).orElseGet(StalenessRule.None::new);
        this.optimizer = StalenessAwareOptimizer.create(rule, ofStage, settings.decayed());
        this.how = settings.combination().predictionAt(settings.place());
        this.prediction = how.map(
                        prediction -> WeightPrediction.create(prediction.method(), ofStage, settings.decayed()))
                .orElse(null);
        this.needsBase = penalty.isPresent() && settings.combination().stash();
    }

    /** Returns the current weights, which the next step changes. */
    float[] parameters() {
        return parameters;
    }

    /** Returns the number of steps made. */
    long steps() {
        return steps;
    }

    /** Returns whether the step needs the slot that the forward pass used. */
    boolean needsBase() {
        return needsBase;
    }

    /** Returns how many steps ahead the weights of a forward pass are predicted; 0 for no prediction. */
    int horizon(int staleness) {
        return settings.combination().horizonAt(settings.place(), staleness);
    }

    /**
     * Predicts the weights at the step of the micro-batch whose forward pass is next.
     *
     * <p>FTPipe's predictor uses the scaled learning rate of a last step that is not full. Here only a look-ahead without
     * staleness uses it: no other prediction extends beyond that step, since its backward passes precede it.
     *
     * @param staleness  steps between its forward and its backward pass
     * @param rateFactor of the step that it belongs to
     * @param hasGathered whether the network has accumulated a part of the next step's gradient
     * @return an array that is valid until the next call
     */
    float[] predict(StageNetwork network, int staleness, double rateFactor, boolean hasGathered) {
        WeightPrediction ahead = Objects.requireNonNull(prediction);
        float[] gathered = NOTHING_GATHERED;
        if (hasGathered && ahead.usesGathered()) {
            gathered = network.gradient();
        }
        float[] predicted = scratch();
        if (staleness == 0) {
            float rate = scaled(settings.rates().at(steps), rateFactor);
            ahead.lookAhead(predicted, parameters, optimizer.optimizerState(), gathered, rate);
            return predicted;
        }
        boolean isScheduleAware = how.map(StagePrediction::scheduleAware).orElse(false);
        float[] rates = new float[staleness];
        for (int j = 0; j < rates.length; j++) {
            rates[j] = settings.rates().at(isScheduleAware ? steps + j : steps);
        }
        ahead.predict(predicted, parameters, optimizer.optimizerState(), gathered, rates);
        return predicted;
    }

    /**
     * Takes a step with the network's gradient, and clears it. First the gap is penalized, then the gradient is clipped, as
     * in FTPipe: so the clipped norm is that of the gradient which the optimizer gets.
     *
     * <pre>
     * g = g min(1, largest / (||g of all stages|| + 1e-6))
     * </pre>
     *
     * @param staleness  of the gradient
     * @param used       the weights of the forward pass; only read if {@link #needsBase}
     * @param rateFactor of the learning rate
     */
    void step(StageNetwork network, int staleness, @Nullable WeightSlot used, double rateFactor)
            throws IOException, InterruptedException {
        float[] gradient = network.gradient();
        float rate = scaled(settings.rates().at(steps), rateFactor);
        if (penalty.isPresent() && !needsBase()) {
            optimizer.arriveWithoutBase(staleness, gradient, parameters, rate);
        } else {
            // Without staleness the base is not read.
            float[] base = parameters;
            if (needsBase() && staleness > 0) {
                base = scratch();
                Objects.requireNonNull(used).get(base);
            }
            optimizer.arrive(STAGE, staleness, gradient, base, parameters, rate);
        }
        clip(gradient);
        optimizer.step(STAGE, parameters, gradient, rate);
        network.clearGradient();
        steps++;
    }

    private float[] scratch() {
        if (scratch.length != parameters.length) {
            scratch = new float[parameters.length];
        }
        return scratch;
    }

    private static float scaled(float rate, double factor) {
        return factor == 1 ? rate : (float) (rate * factor);
    }

    private void clip(float[] gradient) throws IOException, InterruptedException {
        double largest = settings.combination().largestNorm();
        if (largest == 0) {
            return;
        }
        double squares = 0;
        for (float value : gradient) {
            squares += (double) value * value;
        }
        double length = Math.sqrt(norm.add(settings.place().stage(), squares));
        float factor = (float) (largest / (length + CLIP_EPSILON));
        if (factor < 1) {
            for (int i = 0; i < gradient.length; i++) {
                gradient[i] *= factor;
            }
        }
    }

    /** Returns the optimizer's state, such as momentum, which the next step changes. */
    RuleState state() {
        return optimizer.state();
    }

    /** Restores an earlier or later state of the same settings. */
    void restore(StageState state) {
        if (state.parameters().length != parameters.length) {
            throw new IllegalArgumentException("stage %d has %d parameters, the state has %d"
                    .formatted(settings.place().stage(), parameters.length, state.parameters().length));
        }
        optimizer.restore(state.optimizer());
        System.arraycopy(state.parameters(), 0, parameters, 0, parameters.length);
        steps = state.steps();
    }
}
