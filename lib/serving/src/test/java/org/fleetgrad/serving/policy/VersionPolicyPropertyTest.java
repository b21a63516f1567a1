package org.fleetgrad.serving.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.DoubleRange;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.serving.policy.VersionPolicy.Candidate;

class VersionPolicyPropertyTest {

    @Property
    void shouldNeverChooseAVersionWithABetterOneBesideIt(@ForAll("histories") List<Candidate> held) {
        Candidate best = chosen(new VersionPolicy.Best(), held);

        assertThat(held)
                .allSatisfy(other -> assertThat(other.accuracy().orElse(-1))
                        .isLessThanOrEqualTo(best.accuracy().orElse(-1)));
    }

    @Property
    void shouldLetNoVersionThroughTheGateThatIsFurtherFromTheBest(
            @ForAll("histories") List<Candidate> held, @ForAll @DoubleRange(max = 1) double within) {
        Candidate through = chosen(new VersionPolicy.Gate(within), held);
        double best = held.stream()
                .mapToDouble(one -> one.accuracy().orElse(-1))
                .max()
                .orElseThrow();

        if (best >= 0) {
            assertThat(best - through.accuracy().orElseThrow()).isLessThanOrEqualTo(within + 1e-8);
            assertThat(held.subList(held.indexOf(through) + 1, held.size()))
                    .as("newer ones are further from the best, or not evaluated")
                    .allSatisfy(newer -> newer.accuracy()
                            .ifPresent(accuracy -> assertThat(best - accuracy).isGreaterThan(within)));
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

    @Provide
    Arbitrary<List<Candidate>> histories() {
        return Arbitraries.integers()
                .between(-3, 10)
                .map(tenths -> tenths < 0 ? OptionalDouble.empty() : OptionalDouble.of(tenths / 10.0))
                .list()
                .ofMinSize(1)
                .ofMaxSize(12)
                .map(accuracies -> {
                    List<Candidate> held = new ArrayList<>();
                    accuracies.forEach(
                            accuracy -> held.add(new Candidate(new ParameterVersion("g", held.size()), accuracy)));
                    return held;
                });
    }

    private static Candidate chosen(VersionPolicy policy, List<Candidate> held) {
        ParameterVersion version = policy.choose(held).orElseThrow();
        return held.stream()
                .filter(one -> one.version().equals(version))
                .findFirst()
                .orElseThrow();
    }
}
