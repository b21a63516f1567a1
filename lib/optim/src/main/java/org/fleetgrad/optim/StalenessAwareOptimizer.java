package org.fleetgrad.optim;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;
import org.fleetgrad.optim.StalenessRule.AdaptiveDelayCompensated;
import org.fleetgrad.optim.StalenessRule.Damped;
import org.fleetgrad.optim.StalenessRule.DelayCompensated;
import org.fleetgrad.optim.StalenessRule.GapAware;
import org.fleetgrad.optim.StalenessRule.LookAhead;
import org.fleetgrad.optim.StalenessRule.LookAheadSlim;

/**
 * An optimizer with a {@link StalenessRule}, as the parameter server uses it. Gradients {@link #arrive arrive} one by
 * one, then a {@link #step step} is made with the mean of those that arrived.
 *
 * <p>{@link StalenessRule} and {@link OptimizerSettings} have the formulas. Arithmetic is float32; factors that all
 * values share are computed as doubles. The same calls give the same bits on any machine. Values must be finite.
 *
 * <p>Not thread-safe.
 */
public sealed class StalenessAwareOptimizer
        permits StalenessAwareOptimizer.Damping,
                StalenessAwareOptimizer.DelayCompensation,
                StalenessAwareOptimizer.AdaptiveDelayCompensation,
                SgdGapPenalty,
                AdamGapPenalty,
                LookAheadMomentum {

    private static final String OF_OPTIMIZER = "optimizer/";
    private static final String OF_RULE = "rule/";
    private static final String STEPS = "optimizer/steps";

    private final StalenessRule rule;
    final Optimizer optimizer;
    final RuleMemory memory;

    /** Makes an optimizer that leaves gradients unchanged; a subclass is one rule. */
    StalenessAwareOptimizer(StalenessRule rule, Optimizer optimizer, RuleMemory memory) {
        this.rule = rule;
        this.optimizer = optimizer;
        this.memory = memory;
    }

    /** Makes an optimizer whose rule has no state. */
    private StalenessAwareOptimizer(StalenessRule rule, Optimizer optimizer) {
        this(rule, optimizer, new RuleMemory(optimizer.size(), Map.of(), List.of(), RuleMemory.NOTHING));
    }

    /**
     * Returns a new optimizer for {@code size} parameters, all of which are decayed.
     *
     * @throws IllegalArgumentException if the rule does not {@link StalenessRule#requireFits fit} the optimizer
     */
    public static StalenessAwareOptimizer create(StalenessRule rule, OptimizerSettings optimizer, int size) {
        return create(rule, optimizer, DecayRanges.all(size));
    }

    /**
     * Returns a new optimizer whose weight decay acts on these ranges only.
     *
     * @throws IllegalArgumentException if the rule does not {@link StalenessRule#requireFits fit} the optimizer
     */
    public static StalenessAwareOptimizer create(StalenessRule rule, OptimizerSettings optimizer, DecayRanges ranges) {
        return create(rule, optimizer, StepRanges.of(ranges));
    }

    /**
     * Returns a new optimizer with these ranges of weight decay and of learning rates. The learning rate of its calls is
     * the one with a factor of 1.
     *
     * @throws IllegalArgumentException if the rule does not {@link StalenessRule#requireFits fit} the optimizer
     */
    public static StalenessAwareOptimizer create(StalenessRule rule, OptimizerSettings optimizer, StepRanges ranges) {
        rule.requireFits(optimizer);
        if (rule instanceof GapAware gapAware) {
            return optimizer instanceof SgdSettings sgd
                    ? new SgdGapPenalty(gapAware, sgd, ranges)
                    : new AdamGapPenalty(gapAware, optimizer, ranges);
        }
        if (rule instanceof LookAhead lookAhead && optimizer instanceof SgdSettings sgd) {
            return new LookAheadMomentum(lookAhead, sgd, ranges);
        }
        if (rule instanceof LookAheadSlim) {
            // The server's half: the workers keep the momentum.
            return new StalenessAwareOptimizer(rule, Optimizer.create(new SgdSettings(0, 0, false, 0), ranges));
        }
        Optimizer plain = Optimizer.create(optimizer, ranges);
        if (rule instanceof Damped damped) {
            return new Damping(damped, plain);
        }
        if (rule instanceof DelayCompensated compensated) {
            return new DelayCompensation(compensated, plain);
        }
        if (rule instanceof AdaptiveDelayCompensated compensated) {
            return new AdaptiveDelayCompensation(compensated, plain);
        }
        return new StalenessAwareOptimizer(rule, plain);
    }

    static final class Damping extends StalenessAwareOptimizer {

        Damping(Damped rule, Optimizer optimizer) {
            super(rule, optimizer);
        }

        @Override
        void adjust(
                String worker, long staleness, float[] gradient, float[] base, float[] parameters, float learningRate) {
            if (staleness > 1) {
                StalenessLoops.scale(gradient, (float) (1.0 / (double) staleness));
            }
        }
    }

    static final class DelayCompensation extends StalenessAwareOptimizer {

        private final float lambda;

        DelayCompensation(DelayCompensated rule, Optimizer optimizer) {
            super(rule, optimizer);
            this.lambda = rule.lambda();
        }

        @Override
        void adjust(
                String worker, long staleness, float[] gradient, float[] base, float[] parameters, float learningRate) {
            StalenessLoops.compensate(gradient, base, parameters, lambda);
        }
    }

    static final class AdaptiveDelayCompensation extends StalenessAwareOptimizer {

        private final float lambda;
        private final float kept;
        private final float fresh;

        AdaptiveDelayCompensation(AdaptiveDelayCompensated rule, Optimizer optimizer) {
            super(rule, optimizer, new RuleMemory(optimizer.size(), Map.of(), List.of(), "squares"));
            this.lambda = rule.lambda();
            this.kept = rule.decay();
            this.fresh = (float) (1 - Decimals.written(rule.decay()));
        }

        @Override
        void adjust(
                String worker, long staleness, float[] gradient, float[] base, float[] parameters, float learningRate) {
            StalenessLoops.compensateAdaptively(gradient, base, parameters, memory.of(worker), kept, fresh, lambda);
        }
    }

    /** Returns whether {@link #arrive} needs the values that a gradient was computed on. */
    public boolean needsBase() {
        return rule.needsBase();
    }

    /** Returns the number of parameters. */
    public int size() {
        return optimizer.size();
    }

    /**
     * Records one gradient and adjusts it in place, before it joins the mean of its step. Call once for each gradient,
     * in the order of arrival.
     *
     * @param worker       the worker that sent it
     * @param staleness    number of steps since the version it was computed on
     * @param gradient     the gradient; changed in place
     * @param base         the values it was computed on; only read, and only if {@link #needsBase}
     * @param parameters   the values it will be applied to; only read
     * @param learningRate that of the coming step
     * @throws IllegalArgumentException if an array has the wrong size, or a number is negative or not finite; then
     *     nothing is changed
     */
    public void arrive(
            String worker, long staleness, float[] gradient, float[] base, float[] parameters, float learningRate) {
        Checks.notNegative("the staleness", staleness);
        Checks.notNegative("the learning rate", learningRate);
        Checks.sizes(size(), parameters, gradient);
        if (needsBase() && base.length != size()) {
            throw new IllegalArgumentException("%s needs the %d values that the gradient was computed on, there are %d"
                    .formatted(rule, size(), base.length));
        }
        adjust(worker, staleness, gradient, base, parameters, learningRate);
    }

    /**
     * Records one gradient like {@link #arrive}, if the values that it was computed on are not known. Only gap-aware
     * SGD can: it uses {@code learningRate |gradient|} as the gap, about as far as the one step since then moved.
     *
     * @param staleness number of steps since the version it was computed on: 0 or 1
     * @throws IllegalArgumentException if the rule cannot, the staleness is more than 1, an array has the wrong size,
     *     or the learning rate is negative or not finite; then nothing is changed
     */
    public void arriveWithoutBase(long staleness, float[] gradient, float[] parameters, float learningRate) {
        Checks.notNegative("the staleness", staleness);
        Checks.notNegative("the learning rate", learningRate);
        Checks.sizes(size(), parameters, gradient);
        if (staleness > 1) {
            throw new IllegalArgumentException(
                    "a gap can be estimated from a gradient over one step, the staleness is %d: pass the values that it was computed on"
                            .formatted(staleness));
        }
        adjustWithoutBase(staleness, gradient, parameters, learningRate);
    }

    /** Adjusts a gradient in place; the arguments are checked. */
    void adjust(
            String worker, long staleness, float[] gradient, float[] base, float[] parameters, float learningRate) {}

    /** Adjusts a gradient in place by a gap that is estimated from it; the arguments are checked. */
    void adjustWithoutBase(long staleness, float[] gradient, float[] parameters, float learningRate) {
        throw new IllegalArgumentException("only gap-aware SGD can estimate a gap from the gradient itself");
    }

    /** Makes a step; the arguments are checked. */
    void makeStep(String worker, float[] parameters, float[] gradient, float learningRate) {
        optimizer.step(parameters, gradient, learningRate);
    }

    /** Returns the values that workers are to compute on; the arguments are checked. */
    float[] ahead(float[] parameters, float learningRate) {
        return parameters;
    }

    /** Called after a worker was removed from the memory. */
    void workerForgotten() {}

    /** Returns only the optimizer's state, as {@link Optimizer#state} does. */
    public OptimizerState optimizerState() {
        return optimizer.state();
    }

    /**
     * Makes a step with the mean of the gradients that arrived since the last step: {@code parameters} are changed in
     * place, {@code gradient} is only read.
     *
     * @param worker the worker that sent the last of them; the look-ahead rules allow only one gradient per step
     * @throws IllegalArgumentException if an array has the wrong size, or the learning rate is negative or not finite
     */
    public void step(String worker, float[] parameters, float[] gradient, float learningRate) {
        Checks.notNegative("the learning rate", learningRate);
        Checks.sizes(size(), parameters, gradient);
        makeStep(worker, parameters, gradient, learningRate);
    }

    /**
     * Returns the values that workers are to compute on: {@code parameters} itself, or under
     * {@link StalenessRule.LookAhead} an internal array that is valid until the next call.
     *
     * @param learningRate that of the coming step
     * @throws IllegalArgumentException if the array has the wrong size, or the learning rate is negative or not finite
     */
    public float[] served(float[] parameters, float learningRate) {
        Checks.notNegative("the learning rate", learningRate);
        Checks.sizes(size(), parameters, parameters);
        return ahead(parameters, learningRate);
    }

    /** Removes the state of a worker. Does nothing if there is none. */
    public void forget(String worker) {
        if (memory.forget(worker)) {
            workerForgotten();
        }
    }

    /** Removes the state of all workers that are not {@code known}. */
    public void forgetOthers(Predicate<String> known) {
        workers().stream().filter(known.negate()).toList().forEach(this::forget);
    }

    /** Returns the ids of the workers that have state, as of now. */
    public Set<String> workers() {
        return memory.workers();
    }

    /**
     * Returns the complete state. The arrays are not copied and change with later calls: see {@link RuleState#copy}.
     */
    public RuleState state() {
        OptimizerState ofOptimizer = optimizer.state();
        Map<String, Long> numbers = new LinkedHashMap<>();
        Map<String, float[]> buffers = new LinkedHashMap<>();
        numbers.put(STEPS, ofOptimizer.steps());
        ofOptimizer.buffers().forEach((name, values) -> buffers.put(OF_OPTIMIZER + name, values));
        memory.numbers().forEach((name, number) -> numbers.put(OF_RULE + name, number));
        memory.buffers().forEach((name, values) -> buffers.put(OF_RULE + name, values));
        return new RuleState(numbers, buffers);
    }

    /**
     * Copies the state of an optimizer with the same rule, settings and size; later calls give the same bits as that
     * one's.
     *
     * @throws IllegalArgumentException if names, sizes or numbers do not fit; then nothing is changed
     */
    public void restore(RuleState state) {
        Map<String, Long> numbers = new LinkedHashMap<>(state.numbers());
        Map<String, float[]> buffers = new LinkedHashMap<>(state.buffers());
        Long steps = numbers.remove(STEPS);
        if (steps == null) {
            throw new IllegalArgumentException(
                    "the state has no number '%s', its numbers are %s".formatted(STEPS, numbers.keySet()));
        }
        Map<String, Long> numbersOfRule = split(numbers, OF_RULE);
        Map<String, float[]> buffersOfRule = split(buffers, OF_RULE);
        Map<String, float[]> buffersOfOptimizer = split(buffers, OF_OPTIMIZER);
        if (!numbers.isEmpty() || !buffers.isEmpty()) {
            throw new IllegalArgumentException(
                    "the state has numbers %s and buffers %s that belong to neither optimizer nor rule"
                            .formatted(numbers.keySet(), buffers.keySet()));
        }
        memory.requireFits(numbersOfRule, buffersOfRule);
        optimizer.restore(new OptimizerState(steps, buffersOfOptimizer));
        memory.restore(numbersOfRule, buffersOfRule);
    }

    /**
     * Removes the entries whose names begin with {@code prefix} from {@code all}, and returns them without the prefix.
     */
    private static <V> Map<String, V> split(Map<String, V> all, String prefix) {
        Map<String, V> part = new LinkedHashMap<>();
        all.forEach((name, value) -> {
            if (name.startsWith(prefix)) {
                part.put(name.substring(prefix.length()), value);
            }
        });
        all.keySet().removeIf(name -> name.startsWith(prefix));
        return part;
    }
}
