package org.fleetgrad.benchmarks.modes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class KillPlanTest {

    @Test
    void shouldKillTheShareOfAllActivationsThoseDoneAgainIncluded() {
        KillPlan plan = KillPlan.draw(40, 0.3, 1);

        assertThat(plan.kills()).isEqualTo(17);
        assertThat((double) plan.kills() / (40 + plan.kills())).isCloseTo(0.3, within(0.01));
        assertThat(moments(plan, 40)).hasSize(17).allMatch(moment -> moment >= 0 && moment < 1);
    }

    @Test
    void shouldLetEveryPieceOfWorkComeToItsEnd() {
        KillPlan plan = KillPlan.draw(10, 0.5, 2);

        for (int work = 0; work < 10; work++) {
            assertThat(plan.moment(work, plan.kills())).isEmpty();
        }
    }

    @Test
    void shouldDrawTheSameOfTheSameSeed() {
        assertThat(moments(KillPlan.draw(40, 0.3, 7), 40))
                .isEqualTo(moments(KillPlan.draw(40, 0.3, 7), 40))
                .isNotEqualTo(moments(KillPlan.draw(40, 0.3, 8), 40));
    }

    @Test
    void shouldKillNobodyWhereNoneIsToDie() {
        assertThat(KillPlan.draw(40, 0, 1).kills()).isZero();
        assertThat(KillPlan.draw(40, 0, 1).moment(39, 0)).isEmpty();
    }

    private static List<Double> moments(KillPlan plan, int works) {
        List<Double> moments = new ArrayList<>();
        for (int work = 0; work < works; work++) {
            int attempt = 0;
            for (OptionalDouble moment = plan.moment(work, 0);
                    moment.isPresent();
                    moment = plan.moment(work, ++attempt)) {
                moments.add(moment.getAsDouble());
            }
        }
        return moments;
    }
}
