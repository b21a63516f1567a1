package org.fleetgrad.datasets.sampling;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.fleetgrad.datasets.sampling.BatchSampler.Epoch;

class BatchSamplerPropertyTest {

    @Property(tries = 300)
    void shouldVisitEverySampleOnceAnEpoch(
            @ForAll @IntRange(min = 1, max = 500) int count,
            @ForAll @IntRange(min = 1, max = 600) int batchSize,
            @ForAll long seed,
            @ForAll @IntRange(max = 1000) int epoch) {
        BatchSampler sampler = new BatchSampler(count, batchSize, seed);

        int[] visited = StreamSupport.stream(sampler.epoch(epoch).spliterator(), false)
                .flatMapToInt(Arrays::stream)
                .sorted()
                .toArray();

        assertThat(visited).isEqualTo(IntStream.range(0, count).toArray());
    }

    @Property(tries = 300)
    void shouldFillAllBatchesButTheLast(
            @ForAll @IntRange(min = 1, max = 500) int count, @ForAll @IntRange(min = 1, max = 600) int batchSize) {
        BatchSampler sampler = new BatchSampler(count, batchSize, 1);
        Epoch epoch = sampler.epoch(0);

        assertThat(epoch.batchCount()).isEqualTo(sampler.batchCount());
        for (int i = 0; i < epoch.batchCount() - 1; i++) {
            assertThat(epoch.batch(i)).hasSize(batchSize);
        }
        assertThat(epoch.batch(epoch.batchCount() - 1)).hasSize(count - (epoch.batchCount() - 1) * batchSize);
    }
}
