package org.fleetgrad.optim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.fleetgrad.optim.OptimizerSettings.AdamSettings;
import org.fleetgrad.optim.OptimizerSettings.AdamWSettings;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;
import org.fleetgrad.optim.StalenessRule.AdaptiveDelayCompensated;
import org.fleetgrad.optim.StalenessRule.Damped;
import org.fleetgrad.optim.StalenessRule.DelayCompensated;
import org.fleetgrad.optim.StalenessRule.GapAware;
import org.fleetgrad.optim.StalenessRule.LookAhead;
import org.fleetgrad.optim.StalenessRule.LookAheadSlim;
import org.fleetgrad.optim.StalenessRule.None;
import org.junit.jupiter.api.Test;

class StalenessRuleTest {

    private static final SgdSettings PLAIN = new SgdSettings(0, 0, false, 0);
    private static final SgdSettings MOMENTUM = new SgdSettings(0.9f, 0, false, 0);
    private static final SgdSettings NESTEROV = new SgdSettings(0.9f, 0, true, 0);
    private static final AdamSettings ADAM = new AdamSettings(0.9f, 0.999f, 1e-8f, 0, false);
    private static final AdamWSettings ADAM_W = new AdamWSettings(0.9f, 0.999f, 1e-8f, 0.01f, false);

    @Test
    void shouldPrintTheArgumentsThatAreNotCustomary() {
        assertThat(List.of(
                                new None(),
                                new Damped(),
                                new DelayCompensated(0.04f),
                                new AdaptiveDelayCompensated(1, 0.95f),
                                new GapAware(0.999f),
                                new LookAhead(),
                                new LookAheadSlim())
                        .stream()
                        .map(StalenessRule::toString))
                .containsExactly(
                        "none",
                        "damped",
                        "delay-compensated",
                        "adaptive-delay-compensated:lambda=1",
                        "gap-aware",
                        "look-ahead",
                        "look-ahead-slim");
    }

    @Test
    void shouldRefuseHyperparametersOutOfRange() {
        assertRefused(() -> new DelayCompensated(-1), "lambda must be 0 or more and finite; it is -1.0");
        assertRefused(() -> new DelayCompensated(Float.NaN), "lambda must be 0 or more and finite; it is NaN");
        assertRefused(
                () -> new AdaptiveDelayCompensated(Float.POSITIVE_INFINITY, 0.95f),
                "lambda must be 0 or more and finite; it is Infinity");
        assertRefused(() -> new AdaptiveDelayCompensated(2, 1), "decay must be 0 or more and less than 1; it is 1.0");
        assertRefused(() -> new GapAware(1), "decay must be 0 or more and less than 1; it is 1.0");
        assertRefused(() -> new GapAware(-0.5f), "decay must be 0 or more and less than 1; it is -0.5");
    }

    /** T24: combinations for which the rules are not defined. */
    @Test
    void shouldRefuseDampedWithAdam() {
        assertRefused(
                () -> new Damped().requireFits(ADAM),
                "damped scales gradients, but adam divides the scale out again: write SGD, or the rule gap-aware");
        assertRefused(
                () -> new Damped().requireFits(ADAM_W),
                "damped scales gradients, but adamw divides the scale out again: write SGD, or the rule gap-aware");
    }

    @Test
    void shouldRefuseGapAwareWithAmsgrad() {
        assertRefused(
                () -> new GapAware(0.999f).requireFits(new AdamSettings(0.9f, 0.99f, 1e-8f, 0, true)),
                "gap-aware is defined for Adam without AMSGrad, the optimizer is adam:beta2=0.99,amsgrad=true: write amsgrad=false, or the rule none");
        assertRefused(
                () -> new GapAware(0.999f).requireFits(new AdamWSettings(0.9f, 0.99f, 1e-8f, 0, true)),
                "gap-aware is defined for Adam without AMSGrad, the optimizer is adamw:beta2=0.99,weight-decay=0,amsgrad=true: write amsgrad=false, or the rule none");
    }

    @Test
    void shouldRefuseLookAheadWithoutPlainMomentumOfSgd() {
        for (StalenessRule rule : List.of(new LookAhead(), new LookAheadSlim())) {
            String name = rule.toString();
            assertRefused(
                    () -> rule.requireFits(ADAM),
                    name
                            + " looks ahead along the momentum of SGD, the optimizer is adam: write SGD with a momentum, or the rule gap-aware");
            assertRefused(
                    () -> rule.requireFits(PLAIN),
                    name
                            + " needs a momentum of more than 0; it is 0.0: write a momentum such as 0.9, or the rule none");
            assertRefused(
                    () -> rule.requireFits(NESTEROV),
                    name
                            + " already is Nesterov's momentum, the optimizer is sgd:momentum=0.9,nesterov=true: write nesterov=false");
            assertRefused(
                    () -> rule.requireFits(new SgdSettings(0.9f, 0.1f, false, 0)),
                    name + " adds the whole gradient to the momentum, the dampening is 0.1: write a dampening of 0");
        }
    }

    @Test
    void shouldRefuseLookAheadSlimWithWeightDecay() {
        assertRefused(
                () -> new LookAheadSlim().requireFits(new SgdSettings(0.9f, 0, false, 0.01f)),
                "look-ahead-slim keeps the momentum at the workers, and the weight decay of 0.01 would not enter it: write a weight decay of 0, or the rule look-ahead");
    }

    @Test
    void shouldRefuseToCreateWhatDoesNotFit() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StalenessAwareOptimizer.create(new LookAhead(), ADAM, 3))
                .withMessageStartingWith("look-ahead looks ahead along the momentum of SGD");
    }

    @Test
    void shouldFitEverythingElse() {
        List<OptimizerSettings> all = List.of(
                PLAIN,
                MOMENTUM,
                NESTEROV,
                new SgdSettings(0.9f, 0.1f, false, 0.01f),
                ADAM,
                ADAM_W,
                new AdamSettings(0.9f, 0.999f, 1e-8f, 0, true));
        for (OptimizerSettings optimizer : all) {
            assertFits(new None(), optimizer);
            assertFits(new DelayCompensated(0.04f), optimizer);
            assertFits(new AdaptiveDelayCompensated(2, 0.95f), optimizer);
        }
        all.stream().filter(SgdSettings.class::isInstance).forEach(sgd -> {
            assertFits(new Damped(), sgd);
            assertFits(new GapAware(0.999f), sgd);
        });
        assertFits(new GapAware(0.999f), ADAM);
        assertFits(new GapAware(0.999f), ADAM_W);
        assertFits(new LookAhead(), new SgdSettings(0.9f, 0, false, 0.01f));
        assertFits(new LookAheadSlim(), MOMENTUM);
    }

    @Test
    void shouldTellWorkersMomentumOnlyWhereTheyKeepIt() {
        assertThat(new LookAheadSlim().workerMomentum(MOMENTUM)).isEqualTo(0.9f);
        assertThat(new LookAhead().workerMomentum(MOMENTUM)).isZero();
        assertThat(new None().workerMomentum(MOMENTUM)).isZero();
    }

    @Test
    void shouldWantBaseOnlyWhereItEntersFormula() {
        assertThat(List.of(
                                new None(),
                                new Damped(),
                                new DelayCompensated(0.04f),
                                new AdaptiveDelayCompensated(1, 0.95f),
                                new GapAware(0.999f),
                                new LookAhead(),
                                new LookAheadSlim())
                        .stream()
                        .filter(StalenessRule::needsBase)
                        .map(rule -> rule.getClass().getSimpleName()))
                .containsExactly("DelayCompensated", "AdaptiveDelayCompensated", "GapAware");
    }

    private static void assertFits(StalenessRule rule, OptimizerSettings optimizer) {
        assertThatCode(() -> rule.requireFits(optimizer))
                .as("%s with %s", rule, optimizer)
                .doesNotThrowAnyException();
    }

    private static void assertRefused(ThrowingCallable making, String message) {
        assertThatIllegalArgumentException().isThrownBy(making).withMessage(message);
    }
}
