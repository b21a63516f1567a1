package org.fleetgrad.datasets.sampling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BatchSamplerTest {

    @Test
    void shouldMatchTheReferenceSequenceOfSplitMix64() {
        SplitMix64 random = new SplitMix64(1234567);

        // The sequence that the published C code gives for this seed.
        assertThat(random.nextLong()).isEqualTo(6457827717110365317L);
        assertThat(random.nextLong()).isEqualTo(3203168211198807973L);
        assertThat(random.nextLong()).isEqualTo(Long.parseUnsignedLong("9817491932198370423"));
    }

    @Test
    void shouldDrawFractionsAndBoundedNumbersEvenly() {
        SplitMix64 random = new SplitMix64(3);
        int[] counts = new int[7];
        double sum = 0;
        for (int i = 0; i < 70_000; i++) {
            counts[random.nextInt(7)]++;
            double fraction = random.nextDouble();
            assertThat(fraction).isBetween(0.0, Math.nextDown(1.0));
            sum += random.between(-3, 5);
        }
        // Five standard deviations of a binomial count of mean 10,000 are 463; of the mean of the sum, 0.044.
        assertThat(IntStream.of(counts)).allMatch(count -> Math.abs(count - 10_000) < 463);
        assertThat(Math.abs(sum / 70_000 - 1)).isLessThan(0.044);
    }

    @Test
    void shouldDrawTheSameEpochAgain() {
        BatchSampler one = new BatchSampler(1000, 32, 7);
        BatchSampler other = new BatchSampler(1000, 32, 7);

        assertThat(one.epoch(3)).containsExactlyElementsOf(other.epoch(3));
    }

    @Test
    void shouldDrawAnotherOrderForAnotherEpochOrSeed() {
        int[] first = new BatchSampler(100, 100, 7).epoch(0).batch(0);

        assertThat(new BatchSampler(100, 100, 7).epoch(1).batch(0)).isNotEqualTo(first);
        assertThat(new BatchSampler(100, 100, 8).epoch(0).batch(0)).isNotEqualTo(first);
    }

    @Test
    void shouldPutEverySampleAnywhere() {
        // Each of 5 samples should come first in 1 of 5 epochs: 400 of 2000; five standard deviations are 89.
        int[] first = new int[5];
        BatchSampler sampler = new BatchSampler(5, 1, 11);
        for (int epoch = 0; epoch < 2000; epoch++) {
            first[sampler.epoch(epoch).batch(0)[0]]++;
        }
        assertThat(IntStream.of(first)).allMatch(count -> Math.abs(count - 400) < 89);
    }

    @Test
    void shouldRefuseEmptyWork() {
        assertThatThrownBy(() -> new BatchSampler(0, 1, 0))
                .hasMessage("samples and batch size must be 1 or more: 0 and 1");
        assertThatThrownBy(() -> new BatchSampler(1, 0, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new BatchSampler(3, 2, 0).epoch(0).batch(2))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> new SplitMix64(0).nextInt(0)).hasMessage("a bound must be positive; it is 0");
    }
}
