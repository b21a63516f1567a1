package org.fleetgrad.optim;

import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
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

/** Every rule with every optimizer that it works with, and random values. */
final class StalenessCases {

    /** A rule, and an optimizer that it works with. */
    record Case(StalenessRule rule, OptimizerSettings optimizer) {

        StalenessAwareOptimizer create(int size) {
            return StalenessAwareOptimizer.create(rule, optimizer, size);
        }

        boolean looksAhead() {
            return rule instanceof LookAhead || rule instanceof LookAheadSlim;
        }
    }

    static final List<OptimizerSettings> OPTIMIZERS = List.of(
            new SgdSettings(0, 0, false, 0),
            new SgdSettings(0, 0, false, 0.1f),
            new SgdSettings(0.9f, 0, false, 0),
            new SgdSettings(0.9f, 0.2f, false, 0.1f),
            new SgdSettings(0.9f, 0, false, 0.1f),
            new SgdSettings(0.8f, 0, true, 0.1f),
            new AdamSettings(0.9f, 0.99f, 1e-8f, 0, false),
            new AdamSettings(0.9f, 0.999f, 1e-8f, 0.1f, false),
            new AdamSettings(0.9f, 0.99f, 1e-8f, 0.1f, true),
            new AdamWSettings(0.9f, 0.999f, 1e-8f, 0, false),
            new AdamWSettings(0.9f, 0.99f, 1e-8f, 0.3f, false));

    static final List<StalenessRule> RULES = List.of(
            new None(),
            new Damped(),
            new DelayCompensated(0.5f),
            new AdaptiveDelayCompensated(1.5f, 0.95f),
            new GapAware(0.999f),
            new GapAware(0.5f),
            new LookAhead(),
            new LookAheadSlim());

    private StalenessCases() {}

    static List<Case> all() {
        return RULES.stream()
                .flatMap(rule -> OPTIMIZERS.stream()
                        .filter(optimizer -> fits(rule, optimizer))
                        .map(optimizer -> new Case(rule, optimizer)))
                .toList();
    }

    static Stream<Case> of(Class<? extends StalenessRule> rule) {
        return all().stream().filter(one -> rule.isInstance(one.rule()));
    }

    private static boolean fits(StalenessRule rule, OptimizerSettings optimizer) {
        try {
            rule.requireFits(optimizer);
            return true;
        } catch (IllegalArgumentException refused) {
            return false;
        }
    }

    /** Returns a buffer of the optimizer's state, which must exist. */
    static float[] buffer(StalenessAwareOptimizer optimizer, String name) {
        return Optional.ofNullable(optimizer.state().buffers().get(name)).orElseThrow();
    }

    /** Returns normal values, with zeros of both signs among them. */
    static float[] values(Random random, int size) {
        float[] values = new float[size];
        for (int i = 0; i < size; i++) {
            values[i] = switch (random.nextInt(12)) {
                case 0 -> 0f;
                case 1 -> -0f;
                default -> (float) random.nextGaussian();
            };
        }
        return values;
    }
}
