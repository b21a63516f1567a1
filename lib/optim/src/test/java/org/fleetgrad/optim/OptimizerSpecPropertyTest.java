package org.fleetgrad.optim;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.fleetgrad.optim.OptimizerSettings.AdamSettings;
import org.fleetgrad.optim.OptimizerSettings.AdamWSettings;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;
import org.fleetgrad.optim.StalenessRule.AdaptiveDelayCompensated;
import org.fleetgrad.optim.StalenessRule.DelayCompensated;
import org.fleetgrad.optim.StalenessRule.GapAware;

/** What the command line passes to a server means the same there, to the last bit. */
class OptimizerSpecPropertyTest {

    @Property
    void shouldReadWhatItPrints(@ForAll("specs") OptimizerSpec spec) {
        assertThat(OptimizerSpec.parse(spec.toString())).isEqualTo(spec);
    }

    @Property
    void shouldReadTheRuleThatItPrints(@ForAll("rules") StalenessRule rule) {
        assertThat(StalenessRule.parse(rule.toString())).isEqualTo(rule);
    }

    @Property
    void shouldReadTheModeThatItPrints(@ForAll("modes") TrainingMode mode) {
        assertThat(TrainingMode.parse(
                        mode.toString(), Aggregation.parse(mode.aggregation().toString())))
                .isEqualTo(mode);
    }

    @Provide
    Arbitrary<TrainingMode> modes() {
        Arbitrary<Integer> counts = Arbitraries.integers().between(1, Integer.MAX_VALUE);
        Arbitrary<Long> samples = Arbitraries.longs().between(1, SpecText.LARGEST_WHOLE);
        Arbitrary<Aggregation> aggregations = Arbitraries.oneOf(
                Arbitraries.of(new Aggregation.Mean(), new Aggregation.Median()),
                counts.map(Aggregation.TrimmedMean::new),
                counts.map(Aggregation.Krum::new));
        return Arbitraries.oneOf(
                counts.map(TrainingMode.Async::new),
                samples.map(number -> new TrainingMode.Async(TrainingMode.StepSize.ofSamples(number))),
                Combinators.combine(counts.map(count -> count - 1), Arbitraries.of(true, false), aggregations)
                        .as((count, isBackup, aggregation) ->
                                new TrainingMode.Sync(isBackup ? 0 : count, isBackup ? count : 0, aggregation)),
                samples.map(TrainingMode.SyncBySamples::new),
                counts.map(count -> new TrainingMode.Ssp(count - 1)));
    }

    @Provide
    Arbitrary<OptimizerSpec> specs() {
        Arbitrary<SgdSettings> sgd = Combinators.combine(sizes(), floats(), Arbitraries.of(true, false), sizes())
                .as((momentum, dampening, isNesterov, decay) -> isNesterov && momentum > 0
                        ? new SgdSettings(momentum, 0, true, decay)
                        : new SgdSettings(momentum, dampening, false, decay));
        Arbitrary<AdamSettings> adam = Combinators.combine(
                        shares(), shares(), sizes(), sizes(), Arbitraries.of(true, false))
                .as(AdamSettings::new);
        Arbitrary<AdamWSettings> adamW = Combinators.combine(
                        shares(), shares(), sizes(), sizes(), Arbitraries.of(true, false))
                .as(AdamWSettings::new);
        return Combinators.combine(Arbitraries.<OptimizerSettings>oneOf(sgd, adam, adamW), Arbitraries.of(true, false))
                .as((settings, isMatricesOnly) ->
                        new OptimizerSpec(settings, isMatricesOnly && settings.weightDecay() > 0));
    }

    @Provide
    Arbitrary<StalenessRule> rules() {
        return Arbitraries.oneOf(
                Arbitraries.of(
                        new StalenessRule.None(),
                        new StalenessRule.Damped(),
                        new StalenessRule.LookAhead(),
                        new StalenessRule.LookAheadSlim()),
                sizes().map(DelayCompensated::new),
                Combinators.combine(sizes(), shares()).as(AdaptiveDelayCompensated::new),
                shares().map(GapAware::new));
    }

    private static Arbitrary<Float> floats() {
        return Arbitraries.oneOf(Arbitraries.floats(), Arbitraries.of(0f, 0.9f, -0.5f, 5e-4f, 1e-8f, Float.MIN_VALUE));
    }

    /** 0 and more; minus zero is printed as zero. */
    private static Arbitrary<Float> sizes() {
        return floats().map(value -> Math.abs(value));
    }

    private static Arbitrary<Float> shares() {
        return sizes().map(value -> value < 1 ? value : 1 / value).filter(value -> value < 1);
    }
}
