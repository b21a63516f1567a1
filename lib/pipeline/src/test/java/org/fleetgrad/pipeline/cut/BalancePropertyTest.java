package org.fleetgrad.pipeline.cut;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.fleetgrad.pipeline.cut.BlockTimes.StageCost;

/** The oracle tries every cut. */
class BalancePropertyTest {

    @Property(tries = 300)
    void shouldBeAsCheapAsTheBestOfAllCuts(
            @ForAll @Size(min = 1, max = 9) List<@IntRange(min = 0, max = 20) Integer> blocks,
            @ForAll @IntRange(min = 1, max = 9) int wanted,
            @ForAll boolean isByStage) {
        int stages = Math.min(wanted, blocks.size());
        StageCost sum =
                CutTest.sum(blocks.stream().mapToDouble(Integer::doubleValue).toArray());
        // Earlier stages hold more, as with stashed weights.
        StageCost cost = isByStage ? (stage, from, to) -> (stages - stage) * sum.of(stage, from, to) : sum;
        List<int[]> all = new ArrayList<>();
        everyCut(blocks.size(), new int[stages], 1, all);

        int[] starts = Balance.starts(blocks.size(), stages, cost);

        double dearest = all.stream()
                .mapToDouble(cut -> dearest(cut, blocks.size(), cost))
                .min()
                .orElseThrow();
        assertThat(starts[0]).isZero();
        assertThat(dearest(starts, blocks.size(), cost)).isEqualTo(dearest);
        double evenest = all.stream()
                .filter(cut -> dearest(cut, blocks.size(), cost) == dearest)
                .mapToDouble(cut -> squares(cut, blocks.size(), cost))
                .min()
                .orElseThrow();
        assertThat(squares(starts, blocks.size(), cost)).isEqualTo(evenest);
        for (int stage = 1; stage < stages; stage++) {
            assertThat(starts[stage]).isGreaterThan(starts[stage - 1]).isLessThan(blocks.size());
        }
    }

    private static void everyCut(int blocks, int[] starts, int stage, List<int[]> all) {
        if (stage == starts.length) {
            all.add(starts.clone());
            return;
        }
        for (int start = starts[stage - 1] + 1; start <= blocks - (starts.length - stage); start++) {
            starts[stage] = start;
            everyCut(blocks, starts, stage + 1, all);
        }
    }

    private static double dearest(int[] starts, int blocks, StageCost cost) {
        double dearest = 0;
        for (int stage = 0; stage < starts.length; stage++) {
            dearest = Math.max(dearest, cost.of(stage, starts[stage], end(starts, stage, blocks)));
        }
        return dearest;
    }

    private static double squares(int[] starts, int blocks, StageCost cost) {
        double sum = 0;
        for (int stage = 0; stage < starts.length; stage++) {
            sum += Math.pow(cost.of(stage, starts[stage], end(starts, stage, blocks)), 2);
        }
        return sum;
    }

    private static int end(int[] starts, int stage, int blocks) {
        return stage + 1 < starts.length ? starts[stage + 1] : blocks;
    }
}
