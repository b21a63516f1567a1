package org.fleetgrad.serving.batching;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.serving.batching.BatchStatistics.BatchSize;
import org.fleetgrad.serving.batching.BatchStatistics.Figures;
import org.junit.jupiter.api.Test;

class BatchStatisticsTest {

    private long now = 1_000;
    private final BatchStatistics statistics = new BatchStatistics(() -> now);

    private static Optional<ParameterVersion> version(long number) {
        return Optional.of(new ParameterVersion("g", number));
    }

    @Test
    void shouldTellQueueAndComputeApartAndCountABatchOnceAndItsRequestsEach() {
        statistics.answered(version(1), 3, 10, 70);
        statistics.answered(version(1), 1, 20, 70);
        statistics.computed(version(1), 4, 70);
        now = 2_000;
        statistics.answered(version(1), 4, 0, 30);
        statistics.computed(version(1), 4, 30);

        assertThat(statistics.versions())
                .containsExactly(new Figures(
                        version(1).orElseThrow(), 3, 8, 2, 30, 170, 100, 2_000, List.of(new BatchSize(4, 2, 100))));
    }

    @Test
    void shouldCountARequestWithoutAVersionAsFailedAndInNoVersion() {
        statistics.answered(Optional.empty(), 1, 5, 5);
        statistics.computed(Optional.empty(), 0, 5);

        assertThat(statistics.failed()).isEqualTo(1);
        assertThat(statistics.versions()).isEmpty();
    }

    @Test
    void shouldRememberOnlyTheVersionsThatAnsweredLastAndSomeSizes() {
        for (int i = 0; i < 10_000; i++) {
            statistics.computed(version(i), 1, 1);
            statistics.computed(version(0), i, 1);
        }

        assertThat(statistics.versions())
                .hasSize(BatchStatistics.MOST_VERSIONS)
                .extracting(figures -> figures.version().version())
                .containsExactlyElementsOf(LongStream.concat(
                                LongStream.range(10_000 - BatchStatistics.MOST_VERSIONS + 1, 10_000), LongStream.of(0))
                        .boxed()
                        .toList());
        assertThat(statistics.versions().get(BatchStatistics.MOST_VERSIONS - 1)).satisfies(figures -> {
            assertThat(figures.batches()).isEqualTo(10_001);
            assertThat(figures.sizes()).hasSize(BatchStatistics.MOST_SIZES);
        });
    }
}
