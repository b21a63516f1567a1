package org.fleetgrad.runs.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import org.fleetgrad.protocol.messages.RunMessages.StatusReply;
import org.fleetgrad.reports.ActivationRow;
import org.fleetgrad.reports.Prices;
import org.fleetgrad.runs.invoker.ActivationOutcome.Answered;
import org.fleetgrad.runs.invoker.ActivationOutcome.Course;
import org.fleetgrad.runs.invoker.ActivationOutcome.Failed;
import org.fleetgrad.runs.invoker.ActivationOutcome.Killed;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ActivationLogTest {

    private static final OptionalLong MEMORY = OptionalLong.of(256L << 20);

    private final AtomicLong nanos = new AtomicLong(5_000_000_000L);
    private final ActivationLog log = new ActivationLog(nanos::get);

    private static JsonNode answer() {
        return JsonMapper.shared()
                .readTree("{\"samples\":96,\"counted\":64,\"pushes\":2,\"stale\":1,\"bytes\":1000,\"worker\":\"r-1\"}");
    }

    private static StatusReply status(StatusReply.Worker... workers) {
        return new StatusReply(
                200,
                "g",
                1,
                true,
                10,
                100,
                "async",
                false,
                "sgd",
                "none",
                "none",
                0.1,
                0,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                0,
                0,
                0,
                Map.of(),
                0,
                List.of(workers),
                null,
                null);
    }

    private static StatusReply.Worker worker(String id, long applied) {
        return new StatusReply.Worker(id, "", "cpu", applied, applied, 1000, null, null, null);
    }

    @Test
    void shouldTakeWhatAnActivationAnswered() {
        ActivationLog.Begun begun = log.begin("worker-1", "r-1");
        log.add(begun, new Answered(answer(), new Course("whisk-7", true, 4)));

        assertThat(log.rows(MEMORY, new Prices(0.5, 2.0, null, "EUR")))
                .singleElement()
                .satisfies(row -> {
                    assertThat(row.invoker()).isEqualTo("worker-1");
                    assertThat(row.activation()).isEqualTo("whisk-7");
                    assertThat(row.worker()).isEqualTo("r-1");
                    assertThat(row.cold()).isTrue();
                    assertThat(row.gbSeconds()).isEqualTo(1);
                    assertThat(row.cost()).isEqualTo(0.5 + 2);
                    assertThat(row.applied()).isEqualTo(2);
                    assertThat(row.stale()).isEqualTo(1);
                    assertThat(row.lost()).isZero();
                    assertThat(row.figures()).containsEntry("counted", 64).containsEntry("bytes", 1000);
                });
        assertThat(log.gigabyteSeconds(MEMORY)).hasValue(1);
    }

    @Test
    void shouldTakeFromTheServerWhatItCountedOfOneThatWasKilled() {
        nanos.addAndGet(1_500_000_000L);
        ActivationLog.Begun begun = log.begin("worker-2", "r-2");
        log.look(status(worker("r-1", 9), worker("r-2", 3)));
        log.look(status(worker("r-2", 7)));
        // A server that was started again may not know all of it.
        log.look(status(worker("r-2", 1)));
        log.add(begun, new Killed("its time was over", new Course("", false, 60)));

        assertThat(log.rows(OptionalLong.empty(), Prices.NONE)).singleElement().satisfies(row -> {
            assertThat(row.end()).isEqualTo(ActivationRow.KILLED);
            assertThat(row.why()).isEqualTo("its time was over");
            assertThat(row.started()).isCloseTo(1.5, within(1e-9));
            assertThat(row.applied()).isEqualTo(7);
            assertThat(row.stale()).isNull();
            assertThat(row.lost()).isEqualTo(1);
            assertThat(row.activation()).isNull();
            assertThat(row.gbSeconds()).isNull();
            assertThat(row.cost()).isNull();
        });
    }

    @Test
    void shouldEstimateApartWhatNoRecordHas() {
        log.add(log.begin("worker-1", "r-1"), new Answered(answer(), new Course("a", true, 4, 2)));
        log.add(log.begin("worker-1", "r-2"), new Answered(answer(), new Course("b", false, 4)));

        assertThat(log.gigabyteSeconds(MEMORY)).as("as the records say").hasValue(2);
        assertThat(log.unrecordedGigabyteSeconds(MEMORY)).hasValue(0.5);
        assertThat(log.unrecordedGigabyteSeconds(OptionalLong.empty())).isEmpty();
        assertThat(log.rows(MEMORY, Prices.NONE))
                .extracting(ActivationRow::unrecorded)
                .containsExactly(2.0, null);
    }

    @Test
    void shouldTakeALateRecordForWhatWasGivenUp() {
        log.add(log.begin("worker-1", "r-1"), new Killed("its record is not stored", new Course("a", false, 0)));
        log.add(log.begin("worker-2", "r-2"), new Killed("its record is not stored", new Course("b", false, 0)));

        log.replace("r-1", new Answered(answer(), new Course("a", true, 4)));

        assertThat(log.killed()).isEqualTo(1);
        assertThat(log.cold()).isEqualTo(1);
        assertThat(log.gigabyteSeconds(MEMORY)).hasValue(1);
        assertThat(log.rows(MEMORY, Prices.NONE))
                .extracting(ActivationRow::worker)
                .containsExactly("r-1", "r-2");
    }

    @Test
    void shouldSayNothingOfGradientsThatNobodyCounted() {
        log.add(log.begin("worker-1", "r-9"), new Failed("no shard", true, new Course("", true, 1)));

        assertThat(log.rows(MEMORY, Prices.NONE)).singleElement().satisfies(row -> {
            assertThat(row.end()).isEqualTo(ActivationRow.FAILED);
            assertThat(row.applied()).isNull();
        });
    }

    @Test
    void shouldSumUp() {
        log.add(log.begin("worker-1", "r-1"), new Answered(answer(), new Course("", true, 2)));
        log.add(log.begin("worker-1", "r-2"), new Answered(answer(), new Course("", false, 3)));
        log.add(log.begin("worker-1", "r-3"), new Killed("x", new Course("", true, 4)));

        assertThat(log.count()).isEqualTo(3);
        assertThat(log.cold()).isEqualTo(2);
        assertThat(log.killed()).isEqualTo(1);
        assertThat(log.seconds()).isEqualTo(9);
        assertThat(log.sum("bytes")).isEqualTo(2000);
        assertThat(log.largest("samples")).isEqualTo(OptionalDouble.of(96));
        assertThat(log.largest("peak_memory_mib")).isEmpty();
    }
}
