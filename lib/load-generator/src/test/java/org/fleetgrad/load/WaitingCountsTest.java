package org.fleetgrad.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.load.question.BodyFormat;
import org.fleetgrad.load.question.LoadRequests;
import org.fleetgrad.load.question.PredictClient;
import org.fleetgrad.load.result.LoadFigures;
import org.fleetgrad.load.result.LoadRow;
import org.junit.jupiter.api.Test;

/** Coordinated omission: a slow server gets requests as if it were fast, and its delay is measured. Uses a manual clock. */
class WaitingCountsTest {

    private static final long MS = 1_000_000;
    private static final int REQUESTS = 10;
    private static final ImageSamples ONE = new ImageSamples(1, 1, 1, new byte[] {1}, new byte[] {0});

    private final ManualLoadClock clock = new ManualLoadClock();
    private final List<LoadRow> rows = new ArrayList<>();

    /** Takes the same time for each response. */
    private final class SlowServer implements PredictClient {
        private final long serviceNanos;
        private long asked;

        SlowServer(long serviceNanos) {
            this.serviceNanos = serviceNanos;
        }

        @Override
        public void connect() {}

        @Override
        public Reply send(byte[] body) throws IOException {
            clock.advance(serviceNanos);
            if (++asked == REQUESTS) {
                throw new IOException("gone");
            }
            return new Reply(
                    200,
                    "{\"predictions\":[{\"class\":0}],\"version\":1,\"generation\":\"g\"}"
                            .getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public Reply giveFeedback(byte[] body) {
            throw new AssertionError("no feedback");
        }

        @Override
        public long connections() {
            return 1;
        }

        @Override
        public void close() {}
    }

    private LoadFigures load(long serviceNanos, OptionalDouble rate) throws Exception {
        try (LoadRun run = new LoadRun(
                LoadSettings.of(1, REQUESTS, rate),
                new LoadRequests(ONE, 1, BodyFormat.JSON, 1),
                client -> new SlowServer(serviceNanos),
                clock,
                1_000,
                rows::add)) {
            run.run(watched -> {});
            return run.result().all();
        }
    }

    @Test
    void shouldCountTheWaitOfRequestsThatTheServerHeldUp() throws Exception {
        // One request every 10 ms to a server that takes 25: request i is answered at 25 (i + 1), 25 + 15 i after its
        // time.
        LoadFigures figures = load(25 * MS, OptionalDouble.of(100));

        assertThat(rows).extracting(LoadRow::dueMs).startsWith(1_000.0, 1_010.0, 1_020.0);
        for (int i = 0; i < REQUESTS; i++) {
            assertThat(rows.get(i).latencyMs()).isCloseTo(25 + 15 * i, within(1e-9));
        }
        assertThat(figures.maxMs()).as("of those that were answered").isCloseTo(25 + 15 * 8, within(0.001));
        assertThat(figures.failures()).containsEntry("IOException: gone", 1L);
    }

    @Test
    void shouldCountNoWaitWhileTheServerKeepsUp() throws Exception {
        load(4 * MS, OptionalDouble.of(100));

        assertThat(rows)
                .hasSize(REQUESTS)
                .allSatisfy(row -> assertThat(row.latencyMs()).isEqualTo(4));
    }

    @Test
    void shouldMeasureOnlyTheServerWithoutARate() throws Exception {
        load(25 * MS, OptionalDouble.empty());

        assertThat(rows)
                .hasSize(REQUESTS)
                .allSatisfy(row -> assertThat(row.latencyMs()).isEqualTo(25));
    }
}
