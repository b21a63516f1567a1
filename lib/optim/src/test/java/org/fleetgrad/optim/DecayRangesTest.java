package org.fleetgrad.optim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class DecayRangesTest {

    @Test
    void shouldJoinNeighboursToOneRange() {
        DecayRanges ranges = DecayRanges.without(10, places(2, 3, 4, 8));

        assertThat(loops(ranges, 0, 10)).containsExactly("0-2:0.5", "2-5:0.0", "5-8:0.5", "8-9:0.0", "9-10:0.5");
        assertThat(ranges.decayed()).isEqualTo(6);
        assertThat(ranges.size()).isEqualTo(10);
    }

    @Test
    void shouldLeaveOutFirstAndLastPlaces() {
        assertThat(loops(DecayRanges.without(4, places(0, 3)), 0, 4)).containsExactly("0-1:0.0", "1-3:0.5", "3-4:0.0");
        assertThat(loops(DecayRanges.without(2, places(0, 1)), 0, 2)).containsExactly("0-2:0.0");
    }

    @Test
    void shouldRunOneLoopWhenThereIsNoDecayAnyway() {
        List<String> loops = new ArrayList<>();
        DecayRanges.without(4, places(1)).each(0, 4, 0, (from, to, decay) -> loops.add(from + "-" + to));
        assertThat(loops).containsExactly("0-4");
    }

    @Test
    void shouldRefusePlaceBehindTheLast() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DecayRanges.without(3, places(3)))
                .withMessage("there are 3 parameters, and place 3 is to have no weight decay");
    }

    @Property(tries = 300)
    void shouldVisitEachPlaceOnceWithItsDecayWhateverThePiece(
            @ForAll @IntRange(max = 40) int size, @ForAll Random random) {
        BitSet undecayed = new BitSet();
        for (int i = 0; i < size; i++) {
            undecayed.set(i, random.nextInt(3) == 0);
        }
        int from = random.nextInt(size + 1);
        int to = from + random.nextInt(size - from + 1);
        float[] seen = new float[size];
        Arrays.fill(seen, -1);
        DecayRanges.without(size, undecayed).eachOr(from, to, 0.5f, 1, (begin, end, decay) -> {
            for (int i = begin; i < end; i++) {
                assertThat(seen[i]).isEqualTo(-1);
                seen[i] = decay;
            }
        });
        for (int i = 0; i < size; i++) {
            float expected = undecayed.get(i) ? 1 : 0.5f;
            assertThat(seen[i]).isEqualTo(i >= from && i < to ? expected : -1);
        }
    }

    private static List<String> loops(DecayRanges ranges, int from, int to) {
        List<String> loops = new ArrayList<>();
        ranges.each(from, to, 0.5f, (begin, end, decay) -> loops.add("%d-%d:%s".formatted(begin, end, decay)));
        return loops;
    }

    private static BitSet places(int... places) {
        BitSet set = new BitSet();
        Arrays.stream(places).forEach(set::set);
        return set;
    }
}
