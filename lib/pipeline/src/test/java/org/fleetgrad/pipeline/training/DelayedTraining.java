package org.fleetgrad.pipeline.training;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.fleetgrad.optim.DecayRanges;
import org.fleetgrad.optim.OptimizerState;
import org.fleetgrad.optim.StalenessAwareOptimizer;
import org.fleetgrad.optim.StalenessRule;
import org.fleetgrad.optim.WeightPrediction;
import org.fleetgrad.pipeline.cure.Combination;
import org.fleetgrad.pipeline.cure.GapPenalty;
import org.fleetgrad.pipeline.frame.Frame;
import org.fleetgrad.pipeline.schedule.StagePlace;
import org.fleetgrad.pipeline.stage.MicroBatch;
import org.fleetgrad.pipeline.stage.StageNetwork.Graph;
import org.fleetgrad.pipeline.stage.StageNetwork.StageActivation;
import org.fleetgrad.pipeline.stage.StageNetwork.WeightSlot;

/**
 * The oracle of T5: delayed training implemented directly by its formula, with the complete history of weights and one
 * micro-batch at a time. No schedule, no threads, no reference counts.
 *
 * <pre>
 * forward of i on stage s with W_s[floor(max(0, i - d) / k)], or a prediction from it;
 * backward with the weights of the table; then W_s[floor(i / k)] steps: gap penalty, clipping over all stages, optimizer
 * </pre>
 */
final class DelayedTraining {

    private final Combination combination;
    private final int stages;
    private final int microBatches;
    private final int stepEvery;
    private final TinyData data;
    private final List<OneStage> all = new ArrayList<>();

    /** The history, after each step and after each backward pass. */
    private final class OneStage {
        private final TinyStage network;
        private final StalenessAwareOptimizer optimizer;
        private final int depth;
        private final boolean isPenalized;
        private final List<float[]> weights = new ArrayList<>();
        private final List<OptimizerState> momenta = new ArrayList<>();
        private final List<float[]> gathered = new ArrayList<>();

        OneStage(int stage) {
            StagePlace place = new StagePlace(stages, stage);
            float[] initial = TinyPipeline.initial(stages, stage);
            this.network = TinyPipeline.network(stages, stage, 0);
            this.depth = place.depth();
            Optional<GapPenalty> penalty = combination.gapPenaltyAt(place);
            this.isPenalized = penalty.isPresent();
            this.optimizer = StalenessAwareOptimizer.create(
                    penalty.<StalenessRule>map(GapPenalty::rule).orElseGet(StalenessRule.None::new),
                    combination.optimizerAt(place),
                    initial.length);
            weights.add(initial);
            momenta.add(optimizer.optimizerState().copy());
            gathered.add(new float[initial.length]);
        }

        int before(int i) {
            return Math.max(0, i - depth);
        }

        int staleness(int i) {
            return i / stepEvery - before(i) / stepEvery;
        }

        float[] forwardWeights(int i) {
            float[] then = weights.get(before(i) / stepEvery);
            if (combination.prediction().isEmpty()) {
                return then;
            }
            float[] ahead = new float[then.length];
            float[] rates = new float[staleness(i)];
            Arrays.fill(rates, TinyPipeline.RATE);
            WeightPrediction.create(
                            combination.prediction().get().method(),
                            combination.optimizer(),
                            DecayRanges.all(then.length))
                    .predict(ahead, then, momenta.get(before(i) / stepEvery), gathered.get(before(i)), rates);
            return ahead;
        }

        Optional<Frame> backward(int i, MicroBatch batch, Frame input, Optional<Frame> by) {
            float[] old = forwardWeights(i);
            float[] present = weights.get(i / stepEvery);
            boolean isLossOnly =
                    isPenalized && combination.gapPenalty().orElseThrow().onlyForLoss();
            boolean isStashed = combination.stash() && !isLossOnly;
            boolean isPredicted = combination.prediction().isPresent();
            boolean activationsAreOld = isStashed || !combination.recompute() || depth == 0;
            boolean matricesAreOld = isStashed || (isPredicted && !combination.recompute());
            try (WeightSlot slot = network.allocate(activationsAreOld ? old : present);
                    StageActivation activation = network.recompute(slot, batch, input)) {
                slot.set(matricesAreOld ? old : present);
                return depth == 0
                        ? network.backwardFromLoss(activation, 1f / stepEvery)
                        : network.backward(activation, by.orElseThrow());
            }
        }

        boolean isStep(int i) {
            return i % stepEvery == stepEvery - 1 || i == microBatches - 1;
        }

        /** Returns the gradient of the step, after the gap penalty. */
        float[] penalized(int i) {
            float[] gradient = network.gradient().clone();
            optimizer.arrive("one", staleness(i), gradient, forwardWeights(i), latest(), rate(i));
            return gradient;
        }

        void step(int i, float[] gradient) {
            network.clearGradient();
            gathered.add(new float[gradient.length]);
            float[] next = latest().clone();
            optimizer.step("one", next, gradient, rate(i));
            weights.add(next);
            momenta.add(optimizer.optimizerState().copy());
        }

        private float[] latest() {
            return weights.get(weights.size() - 1);
        }

        private float rate(int i) {
            int rest = microBatches % stepEvery;
            boolean isShort = i == microBatches - 1 && rest != 0;
            return isShort ? (float) (TinyPipeline.RATE * ((double) rest / stepEvery)) : TinyPipeline.RATE;
        }
    }

    private DelayedTraining(int stages, Combination combination, int microBatches) {
        this.combination = combination;
        this.stages = stages;
        this.microBatches = microBatches;
        this.stepEvery = combination.schedule().stepEvery();
        this.data = TinyData.of(microBatches);
        for (int stage = 0; stage < stages; stage++) {
            all.add(new OneStage(stage));
        }
    }

    /** Trains as {@code 1f1b} with a combination, and returns the parameters. */
    static float[] trained(int stages, Combination combination, int microBatches) {
        DelayedTraining training = new DelayedTraining(stages, combination, microBatches);
        for (int i = 0; i < microBatches; i++) {
            training.train(i);
        }
        return TinyPipeline.join(training.all.stream()
                .map(stage -> stage.weights.get(stage.weights.size() - 1))
                .toArray(float[][]::new));
    }

    private void train(int i) {
        MicroBatch batch = data.at(i, true);
        List<Frame> inputs = new ArrayList<>(List.of(data.samples(i)));
        for (OneStage stage : all.subList(0, stages - 1)) {
            try (WeightSlot slot = stage.network.allocate(stage.forwardWeights(i));
                    StageActivation activation =
                            stage.network.forward(slot, batch, inputs.get(inputs.size() - 1), Graph.DISCARDED)) {
                inputs.add(activation.output());
            }
        }
        Optional<Frame> by = Optional.empty();
        for (int s = stages - 1; s >= 0; s--) {
            by = all.get(s).backward(i, batch, inputs.get(s), by);
        }
        if (!all.get(0).isStep(i)) {
            all.forEach(stage -> stage.gathered.add(stage.network.gradient().clone()));
            return;
        }
        List<float[]> gradients = all.stream().map(stage -> stage.penalized(i)).toList();
        clip(gradients);
        for (int s = 0; s < stages; s++) {
            all.get(s).step(i, gradients.get(s));
        }
    }

    private void clip(List<float[]> gradients) {
        if (combination.largestNorm() == 0) {
            return;
        }
        double squares = 0;
        for (float[] gradient : gradients) {
            double ofStage = 0;
            for (float value : gradient) {
                ofStage += (double) value * value;
            }
            squares += ofStage;
        }
        float factor = (float) Math.min(1, combination.largestNorm() / (Math.sqrt(squares) + 1e-6));
        for (float[] gradient : gradients) {
            for (int i = 0; i < gradient.length; i++) {
                gradient[i] *= factor;
            }
        }
    }
}
