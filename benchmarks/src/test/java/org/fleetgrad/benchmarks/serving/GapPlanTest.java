package org.fleetgrad.benchmarks.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class GapPlanTest {

    private static GapExperiment.Plan plan(long samples) {
        return new GapExperiment.Plan(samples, List.of(1, 64), List.of(0, 1, 16), 4, 10);
    }

    @Test
    void shouldTakePairsFromTheSecondHalf() {
        assertThat(plan(65_536).newer(64)).containsExactly(32L, 28L, 24L, 20L);
        assertThat(plan(65_536).newer(1)).containsExactly(2048L, 1792L, 1536L, 1280L);
    }

    @Test
    void shouldNeedBothVersionsOfEachPair() {
        assertThat(List.of(32L, 31L, 16L, 20L, 19L, 4L))
                .allMatch(version -> plan(65_536).isNeeded(64, version));
        assertThat(List.of(0L, 1L, 30L, 33L)).noneMatch(version -> plan(65_536).isNeeded(64, version));
    }

    @Test
    void shouldRefuseATrainingThatIsTooShort() {
        assertThatThrownBy(() -> plan(32_768))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "32768 samples make 16 versions of 64 batches; a gap of 16 versions in their second half takes more");
    }
}
