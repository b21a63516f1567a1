package org.fleetgrad.optim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.assertj.core.data.Offset;
import org.fleetgrad.optim.OptimizerSettings.AdamSettings;
import org.fleetgrad.optim.OptimizerSettings.AdamWSettings;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;
import org.fleetgrad.optim.StalenessCases.Case;
import org.fleetgrad.optim.StalenessRule.AdaptiveDelayCompensated;
import org.fleetgrad.optim.StalenessRule.Damped;
import org.fleetgrad.optim.StalenessRule.DelayCompensated;
import org.fleetgrad.optim.StalenessRule.GapAware;
import org.fleetgrad.optim.StalenessRule.LookAhead;
import org.fleetgrad.optim.StalenessRule.LookAheadSlim;
import org.fleetgrad.optim.StalenessRule.None;
import org.junit.jupiter.api.Test;

class StalenessAwareOptimizerTest {

    private static final SgdSettings PLAIN = new SgdSettings(0, 0, false, 0);
    private static final SgdSettings MOMENTUM = new SgdSettings(0.9f, 0, false, 0);
    private static final float[] NO_BASE = new float[0];

    @Test
    void shouldDivideByStaleness() {
        StalenessAwareOptimizer optimizer = StalenessAwareOptimizer.create(new Damped(), PLAIN, 2);
        float[] gradient = {8, -4};
        optimizer.arrive("w", 4, gradient, NO_BASE, new float[2], 0.1f);
        assertThat(gradient).containsExactly(2, -1);
    }

    @Test
    void shouldMoveGradientAlongItsSquareTimesTheDelay() {
        StalenessAwareOptimizer optimizer = StalenessAwareOptimizer.create(new DelayCompensated(0.5f), PLAIN, 2);
        float[] gradient = {2, -4};
        optimizer.arrive("w", 1, gradient, new float[] {1, 1}, new float[] {4, 0}, 0.1f);
        // 2 + 0.5 * 4 * 3 and -4 + 0.5 * 16 * -1
        assertThat(gradient).containsExactly(8, -12);
    }

    @Test
    void shouldCompensateLessWhereWorkersGradientsAreLarge() {
        StalenessAwareOptimizer optimizer =
                StalenessAwareOptimizer.create(new AdaptiveDelayCompensated(2, 0.75f), PLAIN, 1);
        float[] gradient = {8};
        // m = 0.25 * 64; 8 + 2 / 4 * 64 * 1
        optimizer.arrive("w", 1, gradient, new float[] {1}, new float[] {2}, 0.1f);
        assertThat(gradient).containsExactly(new float[] {40}, Offset.offset(1e-5f));
        // The average of another worker starts at 0.
        float[] others = {8};
        optimizer.arrive("v", 1, others, new float[] {1}, new float[] {2}, 0.1f);
        assertThat(others).isEqualTo(gradient);
        // m = 0.75 * 16 + 0.25 * 16; 4 + 2 / 4 * 16 * 1
        float[] next = {4};
        optimizer.arrive("w", 0, next, new float[] {1}, new float[] {2}, 0.1f);
        assertThat(next).containsExactly(new float[] {12}, Offset.offset(1e-5f));
        optimizer.forget("w");
        float[] afresh = {8};
        optimizer.arrive("w", 1, afresh, new float[] {1}, new float[] {2}, 0.1f);
        assertThat(afresh).isEqualTo(gradient);
    }

    @Test
    void shouldServeParametersThemselvesUnlessItLooksAhead() {
        float[] parameters = {1, 2};
        for (Case one : StalenessCases.all()) {
            float[] served = one.create(2).served(parameters, 0.1f);
            assertThat(served == parameters).as("%s", one).isEqualTo(!(one.rule() instanceof LookAhead));
            assertThat(served).isEqualTo(parameters);
        }
    }

    @Test
    void shouldOnlyReadBaseAndParametersOnArrivalAndGradientInStep() {
        for (Case one : StalenessCases.all()) {
            StalenessAwareOptimizer optimizer = one.create(2);
            float[] parameters = {1, 2};
            float[] base = {3, 4};
            optimizer.arrive("w", 2, new float[] {5, 6}, base, parameters, 0.1f);
            assertThat(parameters).as("%s", one).containsExactly(1, 2);
            assertThat(base).as("%s", one).containsExactly(3, 4);
            float[] gradient = {5, 6};
            optimizer.step("w", parameters, gradient, 0.1f);
            assertThat(gradient).as("%s", one).containsExactly(5, 6);
        }
    }

    @Test
    void shouldTellWorkersMomentumOnlyWhereTheyKeepIt() {
        assertThat(new LookAheadSlim().workerMomentum(MOMENTUM)).isEqualTo(0.9f);
        assertThat(new LookAhead().workerMomentum(MOMENTUM)).isZero();
    }

    @Test
    void shouldKeepSomethingOfWorkersOnlyWhereTheRuleDoes() {
        for (Case one : StalenessCases.all()) {
            StalenessAwareOptimizer optimizer = one.create(1);
            for (String worker : List.of("b", "a")) {
                float[] gradient = {1};
                optimizer.arrive(worker, 0, gradient, new float[1], new float[1], 0.1f);
                optimizer.step(worker, new float[1], gradient, 0.1f);
            }
            boolean isKept = one.rule() instanceof LookAhead || one.rule() instanceof AdaptiveDelayCompensated;
            assertThat(optimizer.workers()).as("%s", one).isEqualTo(isKept ? Set.of("a", "b") : Set.of());
            optimizer.forget("a");
            optimizer.forget("nobody");
            assertThat(optimizer.workers()).as("%s", one).isEqualTo(isKept ? Set.of("b") : Set.of());
        }
    }

    @Test
    void shouldNameEverythingItRemembers() {
        assertThat(remembered(new None(), PLAIN)).containsExactly("optimizer/steps");
        assertThat(remembered(new Damped(), MOMENTUM)).containsExactly("optimizer/steps", "optimizer/momentum_buffer");
        assertThat(remembered(new GapAware(0.999f), MOMENTUM))
                .containsExactly(
                        "optimizer/steps",
                        "rule/arrivals",
                        "rule/largest_learning_rate_bits",
                        "optimizer/momentum_buffer",
                        "rule/average");
        assertThat(remembered(new GapAware(0.999f), new AdamSettings(0.9f, 0.999f, 1e-8f, 0.1f, false)))
                .containsExactly("optimizer/steps", "optimizer/exp_avg", "optimizer/exp_avg_sq", "rule/step_squares");
        assertThat(remembered(new GapAware(0.999f), new AdamWSettings(0.9f, 0.999f, 1e-8f, 0.1f, false)))
                .containsExactly(
                        "optimizer/steps",
                        "rule/arrivals_since_step",
                        "optimizer/exp_avg",
                        "optimizer/exp_avg_sq",
                        "rule/step_squares",
                        "rule/decay_relief");
        assertThat(remembered(new AdaptiveDelayCompensated(2, 0.95f), PLAIN))
                .containsExactly("optimizer/steps", "rule/worker/a/b/squares");
        assertThat(remembered(new LookAhead(), MOMENTUM))
                .containsExactly("optimizer/steps", "rule/momentum_sum", "rule/worker/a/b/momentum");
        assertThat(remembered(new LookAheadSlim(), MOMENTUM)).containsExactly("optimizer/steps");
    }

    private static List<String> remembered(StalenessRule rule, OptimizerSettings settings) {
        StalenessAwareOptimizer optimizer = StalenessAwareOptimizer.create(rule, settings, 1);
        optimizer.arrive("a/b", 0, new float[] {1}, new float[1], new float[1], 0.1f);
        optimizer.step("a/b", new float[1], new float[] {1}, 0.1f);
        RuleState state = optimizer.state();
        StalenessAwareOptimizer other = StalenessAwareOptimizer.create(rule, settings, 1);
        other.restore(state);
        assertThat(other.workers()).isEqualTo(optimizer.workers());
        List<String> names = new ArrayList<>(state.numbers().keySet());
        names.addAll(state.buffers().keySet());
        return names;
    }

    @Test
    void shouldRefuseStateThatDoesNotFitAndStayAsItWas() {
        StalenessAwareOptimizer optimizer = StalenessAwareOptimizer.create(new GapAware(0.999f), MOMENTUM, 2);
        optimizer.arrive("w", 0, new float[2], new float[2], new float[2], 0.1f);
        optimizer.step("w", new float[2], new float[] {1, 2}, 0.1f);
        RuleState good = optimizer.state().copy();
        assertRefused(
                optimizer,
                without(good, "optimizer/steps"),
                "the state has no number 'optimizer/steps', its numbers are [rule/arrivals, rule/largest_learning_rate_bits]");
        assertRefused(
                optimizer,
                with(good, "rule/arrivals", -1),
                "the state's number 'arrivals' must be from 0 to 9223372036854775807; it is -1");
        assertRefused(
                optimizer,
                with(good, "rule/largest_learning_rate_bits", Float.floatToIntBits(Float.NaN)),
                "the state's number 'largest_learning_rate_bits' must be from 0 to 2139095039; it is 2143289344");
        assertRefused(optimizer, with(good, "optimizer/steps", -1), "the number of steps must be 0 or more; it is -1");
        assertRefused(
                optimizer,
                with(good, "other/number", 1),
                "the state has numbers [other/number] and buffers [] that belong to neither optimizer nor rule");
        assertRefused(
                optimizer,
                with(good, "rule/number", 1),
                "the rule's numbers are [arrivals, largest_learning_rate_bits], the state's are [arrivals, largest_learning_rate_bits, number]");
        assertRefused(optimizer, without(good, "rule/average"), "the rule's buffers are [average], the state's are []");
        assertRefused(
                optimizer,
                with(good, "rule/average", new float[3]),
                "the rule has 2 values, the state's buffer 'average' has 3");
        assertRefused(
                optimizer,
                with(good, "rule/worker/w/momentum", new float[2]),
                "the rule has no buffer 'worker/w/momentum'");
        assertRefused(
                optimizer,
                with(good, "optimizer/momentum_buffer", new float[3]),
                "the optimizer has 2 values, the state's buffer 'momentum_buffer' has 3");
        assertRefused(
                optimizer,
                without(good, "optimizer/momentum_buffer"),
                "the optimizer's buffers are [momentum_buffer], the state's are []");
        assertThat(optimizer.state()).usingRecursiveComparison().isEqualTo(good);
        optimizer.restore(good);
        assertThat(optimizer.state()).usingRecursiveComparison().isEqualTo(good);
    }

    @Test
    void shouldRefuseWorkersBufferWithoutWorker() {
        StalenessAwareOptimizer zero = StalenessAwareOptimizer.create(new LookAhead(), MOMENTUM, 1);
        RuleState empty = zero.state().copy();
        assertRefused(
                zero, with(empty, "rule/worker/momentum", new float[1]), "the rule has no buffer 'worker/momentum'");
        assertRefused(
                zero,
                with(empty, "rule/worker/w/momentum", new float[2]),
                "the rule has 1 values, the state's buffer 'worker/w/momentum' has 2");
    }

    private static void assertRefused(StalenessAwareOptimizer optimizer, RuleState state, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> optimizer.restore(state))
                .withMessage(message);
    }

    private static RuleState with(RuleState state, String name, long number) {
        Map<String, Long> numbers = new LinkedHashMap<>(state.numbers());
        numbers.put(name, number);
        return new RuleState(numbers, state.buffers());
    }

    private static RuleState with(RuleState state, String name, float[] buffer) {
        Map<String, float[]> buffers = new LinkedHashMap<>(state.buffers());
        buffers.put(name, buffer);
        return new RuleState(state.numbers(), buffers);
    }

    private static RuleState without(RuleState state, String name) {
        Map<String, Long> numbers = new LinkedHashMap<>(state.numbers());
        Map<String, float[]> buffers = new LinkedHashMap<>(state.buffers());
        numbers.remove(name);
        buffers.remove(name);
        return new RuleState(numbers, buffers);
    }

    @Test
    void shouldNotLetItsMapsBeChanged() {
        RuleState state = StalenessAwareOptimizer.create(new None(), PLAIN, 1).state();
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> state.numbers().put("optimizer/steps", 7L));
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> state.buffers().put("rule/average", new float[1]));
    }

    @Test
    void shouldRefuseArgumentsThatMakeNoSenseAndStayAsItWas() {
        StalenessAwareOptimizer optimizer = StalenessAwareOptimizer.create(new GapAware(0.999f), MOMENTUM, 2);
        float[] two = new float[2];
        assertThatIllegalArgumentException()
                .isThrownBy(() -> optimizer.arrive("w", -1, two, two, two, 0.1f))
                .withMessage("the staleness must be 0 or more; it is -1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> optimizer.arrive("w", 1, two, two, two, Float.NaN))
                .withMessage("the learning rate must be 0 or more and finite; it is NaN");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> optimizer.arrive("w", 1, new float[3], two, two, 0.1f))
                .withMessage("the optimizer has 2 values, the parameters 2 and the gradient 3");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> optimizer.arrive("w", 1, two, NO_BASE, two, 0.1f))
                .withMessage("gap-aware needs the 2 values that the gradient was computed on, there are 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> optimizer.step("w", two, new float[1], 0.1f))
                .withMessage("the optimizer has 2 values, the parameters 2 and the gradient 1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> optimizer.step("w", two, two, -1))
                .withMessage("the learning rate must be 0 or more and finite; it is -1.0");
        assertThatIllegalArgumentException().isThrownBy(() -> optimizer.served(new float[1], 0.1f));
        assertThatIllegalArgumentException().isThrownBy(() -> optimizer.served(two, -1));
        assertThat(optimizer.state().numbers().values()).containsOnly(0L);
    }

    @Test
    void shouldRefuseNegativeSize() {
        for (Case one : StalenessCases.all()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> one.create(-2))
                    .withMessage("the number of parameters must be 0 or more; it is -2");
        }
    }
}
