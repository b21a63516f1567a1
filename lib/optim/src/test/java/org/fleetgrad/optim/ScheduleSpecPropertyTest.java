package org.fleetgrad.optim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalDouble;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.fleetgrad.optim.ScheduleSpec.Shape;

class ScheduleSpecPropertyTest {

    @Property
    void shouldReadWhatItPrints(@ForAll("specs") ScheduleSpec spec) {
        assertThat(ScheduleSpec.parse(spec.toString())).isEqualTo(spec);
    }

    /** What the command line passes to a server means the same there. */
    @Property
    void shouldMakeTheSameScheduleOfItsText(@ForAll("specs") ScheduleSpec spec) {
        ScheduleSpec samples = spec.inSamples(1_000, 90);

        assertThat(ScheduleSpec.parse(samples.toString()).startingAt(1e30f)).isEqualTo(samples.startingAt(1e30f));
    }

    @Provide
    Arbitrary<ScheduleSpec> specs() {
        return Combinators.combine(shapes(), Arbitraries.oneOf(Arbitraries.just(0.0), lengths()))
                .as(ScheduleSpec::new);
    }

    private static Arbitrary<Shape> shapes() {
        Arbitrary<Shape> step = Combinators.combine(lengths(), factors()).as(Shape.Step::new);
        Arbitrary<Shape> milestones = Combinators.combine(
                        lengths().list().ofMinSize(1).ofMaxSize(6).uniqueElements(), factors())
                .as((each, gamma) ->
                        new Shape.Milestones(List.copyOf(each.stream().sorted().toList()), gamma));
        Arbitrary<Shape> cosine = Combinators.combine(
                        lengths().optional(), Arbitraries.oneOf(Arbitraries.just(0.0), factors()))
                .as((total, minimum) -> new Shape.Cosine(
                        total.isPresent() ? OptionalDouble.of(total.get()) : OptionalDouble.empty(), minimum));
        return Arbitraries.oneOf(Arbitraries.just(new Shape.Constant()), step, milestones, cosine);
    }

    /** Whole and broken lengths, a thousandth apart at least, so that milestones stay apart as samples. */
    private static Arbitrary<Double> lengths() {
        return Arbitraries.oneOf(
                Arbitraries.integers().between(1, 1_000_000).map(Integer::doubleValue),
                Arbitraries.integers().between(1, 1_000_000).map(thousandths -> thousandths / 1_000.0));
    }

    private static Arbitrary<Double> factors() {
        return Arbitraries.doubles().between(1e-12, 1e3).ofScale(20).filter(factor -> (float) factor.doubleValue() > 0);
    }
}
