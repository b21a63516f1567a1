package org.fleetgrad.serving.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.DoubleRange;
import org.fleetgrad.protocol.HeldOutScore;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.serving.policy.VersionPolicy.Candidate;

class VersionPolicyPropertyTest {

    private static final double NOT_EVALUATED = -10;

    @Property
    void shouldNeverChooseAVersionWithABetterOneBesideIt(@ForAll("histories") List<Candidate> held) {
        Candidate best = chosen(new VersionPolicy.Best(), held);

        assertThat(held).allSatisfy(other -> assertThat(figure(other)).isLessThanOrEqualTo(figure(best)));
    }

    @Property
    void shouldLetNoVersionThroughTheGateThatIsFurtherFromTheBest(
            @ForAll("histories") List<Candidate> held, @ForAll @DoubleRange(max = 1) double within) {
        Candidate through = chosen(new VersionPolicy.Gate(within), held);
        double best = held.stream()
                .mapToDouble(VersionPolicyPropertyTest::figure)
                .max()
                .orElseThrow();

        if (best > NOT_EVALUATED) {
            assertThat(best - figure(through)).isLessThanOrEqualTo(within + 1e-8);
            assertThat(held.subList(held.indexOf(through) + 1, held.size()))
                    .as("newer ones are further from the best, or not evaluated")
                    .allSatisfy(newer -> assertThat(best - figure(newer)).isGreaterThan(within));
        }
    }

    /** Versions that are not needed may be evicted: the choice stays the same. */
    @Property
    void shouldChooseTheSameAmongTheVersionsThatItNeeds(
            @ForAll("histories") List<Candidate> held, @ForAll("policies") String text) {
        VersionPolicy policy = VersionPolicy.valueOf(text);
        Candidate newest = held.get(held.size() - 1);
        List<Candidate> needed = held.stream()
                .filter(one -> policy.needs(held).contains(one.version()) || one.equals(newest))
                .toList();

        assertThat(policy.choose(needed)).isEqualTo(policy.choose(held));
    }

    @Provide
    Arbitrary<String> policies() {
        return Arbitraries.of("latest", "previous", "best", "gate:0", "gate:0.1", "gate:1", "pinned:0");
    }

    /** Histories of a classification, and of a text. */
    @Provide
    Arbitrary<List<Candidate>> histories() {
        return Arbitraries.of(true, false)
                .flatMap(isOfText -> Arbitraries.integers()
                        .between(-3, 10)
                        .map(tenths -> tenths < 0
                                ? Optional.<HeldOutScore>empty()
                                : HeldOutScore.of(tenths / 10.0, tenths / 10.0, isOfText))
                        .list()
                        .ofMinSize(1)
                        .ofMaxSize(12))
                .map(scores -> {
                    List<Candidate> held = new ArrayList<>();
                    scores.forEach(score -> held.add(new Candidate(new ParameterVersion("g", held.size()), score)));
                    return held;
                });
    }

    /** Returns the figure of a version, the larger the better. */
    private static double figure(Candidate version) {
        return version.score()
                .map(score -> score.accuracy().orElseGet(() -> -score.loss().orElseThrow()))
                .orElse(NOT_EVALUATED);
    }

    private static Candidate chosen(VersionPolicy policy, List<Candidate> held) {
        ParameterVersion version = policy.choose(held).orElseThrow();
        return held.stream()
                .filter(one -> one.version().equals(version))
                .findFirst()
                .orElseThrow();
    }
}
