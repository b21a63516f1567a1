package org.fleetgrad.inference.feedback;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SpentSamplesTest {

    /** A bit a prediction: a million that wait for their label take 125 kB. */
    @Test
    void shouldRememberAMillionSamplesIn125Kilobytes() {
        SpentSamples spent = new SpentSamples(125_000);

        long first = spent.assign(1_000_000);

        assertThat(spent.remembered()).isEqualTo(1_000_000);
        assertThat(spent.isRemembered(first)).isTrue();
        long unused = spent.assign(1);
        assertThat(spent.isRemembered(first)).isFalse();
        assertThat(spent.isRemembered(first + 1)).isTrue();
    }

    @Test
    void shouldRememberNothingThatWasNotAssigned() {
        SpentSamples spent = new SpentSamples(8);

        assertThat(spent.isRemembered(0)).isFalse();
        long unused = spent.assign(1);
        assertThat(spent.isRemembered(0)).isTrue();
        assertThat(spent.isRemembered(1)).isFalse();
        assertThat(spent.isRemembered(-1)).isFalse();
        assertThat(spent.isRemembered(Long.MAX_VALUE)).isFalse();
        assertThat(spent.isRemembered(Long.MIN_VALUE)).isFalse();
    }

    /** Against a set of all sequence numbers, through many turns of the ring. */
    @Test
    void shouldSpendEachSequenceNumberOnce() {
        SpentSamples spent = new SpentSamples(16);
        BitSet model = new BitSet();
        Random random = new Random(1);
        long next = 0;
        for (int turn = 0; turn < 5_000; turn++) {
            if (random.nextInt(3) == 0) {
                int count = 1 + random.nextInt(random.nextInt(10) == 0 ? 200 : 20);
                assertThat(spent.assign(count)).isEqualTo(next);
                next += count;
            }
            long sequence = next - 1 - random.nextInt(200);
            assertThat(spent.isRemembered(sequence))
                    .isEqualTo(sequence >= 0 && sequence >= next - 128 && sequence < next);
            if (spent.isRemembered(sequence)) {
                assertThat(spent.spend(sequence)).as("%d of %d", sequence, next).isEqualTo(!model.get((int) sequence));
                model.set((int) sequence);
            }
        }
        assertThat(model.cardinality()).isGreaterThan(500);
    }
}
