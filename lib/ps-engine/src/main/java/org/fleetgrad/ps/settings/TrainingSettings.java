package org.fleetgrad.ps.settings;

import java.util.BitSet;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.optim.DecayRanges;
import org.fleetgrad.optim.LearningRateSchedule;
import org.fleetgrad.optim.LocalSteps;
import org.fleetgrad.optim.OptimizerSettings;
import org.fleetgrad.optim.RateRanges;
import org.fleetgrad.optim.StalenessAwareOptimizer;
import org.fleetgrad.optim.StalenessRule;
import org.fleetgrad.optim.StepRanges;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.protocol.partition.PartitionLabel;
import org.fleetgrad.protocol.tensor.DType;
import org.fleetgrad.protocol.tensor.FreezePatterns;
import org.fleetgrad.protocol.tensor.FrozenTensors;
import org.fleetgrad.protocol.tensor.ParameterState;
import org.fleetgrad.protocol.tensor.RatePatterns;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.protocol.tensor.TrainableValues;

/**
 * How the run trains.
 *
 * @param mode          when gradients become a step
 * @param optimizer     what a step does
 * @param rule          treatment of stale gradients
 * @param history       number of versions whose values are retained for a rule that needs them, counted back from the
 *     newest
 * @param schedule      the learning rate by samples
 * @param decay         which tensors weight decay acts on
 * @param queueCapacity checked gradients that may wait for the applier before a push is answered 503
 * @param largestNorm   a gradient of a larger Euclidean norm is refused; 0 for no limit
 * @param freeze        the tensors that no step changes
 * @param rates         factors of the learning rate, for some tensors
 * @param local         the steps that workers make by themselves between two pushes; absent if they push gradients
 */
public record TrainingSettings(
        TrainingMode mode,
        OptimizerSettings optimizer,
        StalenessRule rule,
        int history,
        LearningRateSchedule schedule,
        DecayScope decay,
        int queueCapacity,
        double largestNorm,
        FreezePatterns freeze,
        RatePatterns rates,
        Optional<LocalSteps> local) {

    /** Checks the sizes, and that mode, optimizer and rule make sense together. */
    public TrainingSettings {
        if (queueCapacity < 1) {
            throw new IllegalArgumentException("queueCapacity must be 1 or more; it is " + queueCapacity);
        }
        if (history < 1) {
            throw new IllegalArgumentException("the history must be 1 version or more; it is " + history);
        }
        if (!(largestNorm >= 0) || Double.isInfinite(largestNorm)) {
            throw new IllegalArgumentException(
                    "the largest norm of a gradient is %s; write a finite number, such as 10, or 0 for no limit"
                            .formatted(largestNorm));
        }
        rates.factors().forEach(each -> RateRanges.requireFactor(each.factor()));
        rule.requireFits(optimizer);
        mode.requireFits(rule);
    }

    /** Settings of a run that trains all tensors with one learning rate. */
    public TrainingSettings(
            TrainingMode mode,
            OptimizerSettings optimizer,
            StalenessRule rule,
            int history,
            LearningRateSchedule schedule,
            DecayScope decay,
            int queueCapacity,
            double largestNorm) {
        this(
                mode,
                optimizer,
                rule,
                history,
                schedule,
                decay,
                queueCapacity,
                largestNorm,
                FreezePatterns.NONE,
                RatePatterns.NONE);
    }

    /** Settings of a run whose workers push gradients. */
    public TrainingSettings(
            TrainingMode mode,
            OptimizerSettings optimizer,
            StalenessRule rule,
            int history,
            LearningRateSchedule schedule,
            DecayScope decay,
            int queueCapacity,
            double largestNorm,
            FreezePatterns freeze,
            RatePatterns rates) {
        this(
                mode,
                optimizer,
                rule,
                history,
                schedule,
                decay,
                queueCapacity,
                largestNorm,
                freeze,
                rates,
                Optional.empty());
    }

    /**
     * Finds the trainable values of a parameter set.
     *
     * @param metadata says which tensors are state, and of which tensors a partition has pieces
     * @throws IllegalArgumentException if the set does not have the tensors that are to be frozen, or that are to have a
     *     learning rate of their own; the message has them
     */
    public TrainableValues trainable(TensorLayout layout, Map<String, String> metadata) {
        TensorLayout whole = whole(layout, metadata);
        ParameterState state = ParameterState.in(metadata);
        FrozenTensors frozen = freeze.in(whole, state);
        rates.requireMatches(whole, frozen, state);
        return TrainableValues.of(layout, frozen);
    }

    private static TensorLayout whole(TensorLayout layout, Map<String, String> metadata) {
        return PartitionLabel.isIn(metadata) ? PartitionLabel.of(metadata).whole() : layout;
    }

    /** Finds the trainable values under other frozen tensors. */
    public static TrainableValues trainable(FreezePatterns freeze, TensorLayout layout, Map<String, String> metadata) {
        return TrainableValues.of(layout, freeze.in(whole(layout, metadata), ParameterState.in(metadata)));
    }

    /** Returns the momentum that workers apply to their gradients; 0 for none. */
    public double workerMomentum() {
        // The configured decimal, not the widened float.
        return Double.parseDouble(Float.toString(rule.workerMomentum(optimizer)));
    }

    /**
     * Makes the optimizer of a parameter set's trainable tensors.
     *
     * @param layout   of the trainable tensors
     * @param metadata says which tensors are state, and of which tensors a partition has pieces
     */
    public StalenessAwareOptimizer newOptimizer(TensorLayout layout, Map<String, String> metadata) {
        return StalenessAwareOptimizer.create(
                rule, optimizer, new StepRanges(decay.ranges(layout, metadata), rateRanges(layout)));
    }

    private RateRanges rateRanges(TensorLayout layout) {
        return RateRanges.of(
                layout.specs().stream()
                        .mapToInt(spec -> (int) spec.elementCount())
                        .toArray(),
                layout.specs().stream()
                        .mapToDouble(spec -> rates.of(spec.name()))
                        .toArray());
    }

    /** Returns the learning rate of the next step, after steps with so many samples. */
    public float learningRate(long samples) {
        return schedule.at(samples);
    }

    /** Which tensors weight decay acts on. It never acts on a network's state, which no optimizer steps. */
    public enum DecayScope {

        /** All parameters, as PyTorch's optimizers do by default. */
        EVERYTHING,

        /**
         * Parameters of two dimensions and more: the weights of convolutions and linear layers, without biases and
         * normalization.
         */
        MATRICES;

        /**
         * Returns the ranges of a parameter set that are decayed. A piece of a partitioned tensor has one dimension, so
         * the tensor that it was cut from decides.
         *
         * @param metadata of the parameter set
         */
        DecayRanges ranges(TensorLayout layout, Map<String, String> metadata) {
            ParameterState state = ParameterState.in(metadata);
            Optional<TensorLayout> whole = PartitionLabel.isIn(metadata)
                    ? Optional.of(PartitionLabel.of(metadata).whole())
                    : Optional.empty();
            BitSet undecayed = new BitSet();
            for (int i = 0; i < layout.size(); i++) {
                TensorSpec spec = layout.specs().get(i);
                TensorSpec origin = whole.map(all -> origin(spec, all)).orElse(spec);
                if (state.has(spec.name())
                        || (this == MATRICES && origin.shape().size() < 2)) {
                    int begin = (int) (layout.byteOffset(i) / DType.F32.bytes());
                    undecayed.set(begin, begin + (int) spec.elementCount());
                }
            }
            return DecayRanges.without((int) layout.elementCount(), undecayed);
        }

        /** Returns the tensor that a piece was cut from, or the tensor itself if it was not cut. */
        private static TensorSpec origin(TensorSpec piece, TensorLayout whole) {
            return whole.indexOf(piece.name())
                    .or(() -> whole.indexOf(TensorSpec.tensorOf(piece.name())))
                    .map(whole.specs()::get)
                    .orElse(piece);
        }
    }
}
