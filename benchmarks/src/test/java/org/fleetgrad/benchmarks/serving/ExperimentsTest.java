package org.fleetgrad.benchmarks.serving;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.fleetgrad.benchmarks.serving.Serving.Place;
import org.junit.jupiter.api.Test;

class ExperimentsTest {

    @Test
    void shouldHaveEveryPlaceAndEachNumberOfClients() {
        Experiments full = Experiments.full();

        assertThat(full.places().servings()).extracting(Serving::place).contains(Place.values());
        assertThat(full.places().clients()).containsExactly(1, 24, 48, 96);
        assertThat(full.gaps().gaps()).containsExactly(0, 1, 4, 16);
        assertThat(full.gaps().intervals()).containsExactly(1, 8, 64);
        assertThat(full.trainingSamples()).isEqualTo(2 * full.places().samples());
    }

    @Test
    void shouldLookAtLessWhenItIsQuick() {
        Experiments quick = Experiments.quick();

        assertThat(quick.places().servings())
                .isNotEqualTo(Serving.all())
                .hasSizeLessThan(Serving.all().size());
        assertThat(quick.gaps().intervals()).isEqualTo(List.of(1, 8, 64));
        assertThat(quick.trainingSamples()).isEqualTo(quick.places().samples());
    }
}
