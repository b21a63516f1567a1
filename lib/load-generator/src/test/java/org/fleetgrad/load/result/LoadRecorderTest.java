package org.fleetgrad.load.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class LoadRecorderTest {

    private static final double BEGIN = 1_000_000;

    private final List<LoadRow> sunk = new ArrayList<>();
    private final LoadRecorder recorder = new LoadRecorder(BEGIN, sunk::add);

    @Test
    void shouldAddUpWhatWasAnsweredAndCountWhatWasNot() {
        for (int i = 0; i < 98; i++) {
            recorder.add(i % 2 == 0 ? Rows.right(BEGIN + i, 1, 7) : Rows.wrong(BEGIN + i, 2, 8));
        }
        recorder.add(Rows.failed(BEGIN + 98, 900, 503, "status 503 busy"));
        recorder.add(Rows.failed(BEGIN + 99, 1, 0, "no response in time"));

        LoadFigures all = recorder.result().all();

        assertThat(all.requests()).isEqualTo(100);
        assertThat(all.failed()).isEqualTo(2);
        assertThat(all.p50Ms()).isCloseTo(1, within(0.001));
        assertThat(all.p99Ms()).isEqualTo(2);
        assertThat(all.maxMs()).as("failures have no latency of answers").isEqualTo(2);
        assertThat(all.accuracy()).hasValue(0.5);
        assertThat(all.versionsSeen()).isEqualTo(2);
        // From the first due time to the end of the request of 900 ms.
        assertThat(all.seconds()).isCloseTo(0.998, within(1e-9));
        assertThat(all.perSecond()).isCloseTo(98 / 0.998, within(1e-6));
        assertThat(all.failures()).isEqualTo(Map.of("status 503 busy", 1L, "no response in time", 1L));
        assertThat(sunk).hasSize(100);
    }

    @Test
    void shouldKeepPhasesApart() {
        recorder.add(Rows.answered(BEGIN, 0, 0, 1, 1, 1));
        recorder.add(Rows.answered(BEGIN + 500, 1, 0, 4, 1, 1));
        recorder.add(Rows.answered(BEGIN + 501, 1, 1, 4, 0, 2));

        LoadResult result = recorder.result();

        assertThat(result.phases()).extracting(LoadFigures::requests).containsExactly(1L, 2L);
        assertThat(result.phases()).extracting(LoadFigures::clients).containsExactly(1, 2);
        assertThat(result.phases().get(1).p50Ms()).isEqualTo(4);
        assertThat(result.phaseBegins()).containsExactly(0.0, 0.5);
        assertThat(result.all().requests()).isEqualTo(3);
    }

    @Test
    void shouldWriteTheMembersThatProgramsRead() {
        recorder.add(Rows.right(BEGIN, 1.5, 3));

        JsonNode json = JsonMapper.builder().build().readTree(LoadJson.of(recorder.result()));

        assertThat(json.path("requests").asLong()).isEqualTo(1);
        assertThat(json.path("failed").asLong()).isZero();
        assertThat(json.path("p50Ms").asDouble()).isEqualTo(1.5);
        assertThat(json.path("p90Ms").asDouble()).isEqualTo(1.5);
        assertThat(json.path("p99Ms").asDouble()).isEqualTo(1.5);
        assertThat(json.path("maxMs").asDouble()).isEqualTo(1.5);
        assertThat(json.path("perSecond").asDouble()).isCloseTo(1000 / 1.5, within(0.001));
        assertThat(json.path("accuracy").asDouble()).isEqualTo(1);
        assertThat(json.path("versionsSeen").asInt()).isEqualTo(1);
        assertThat(json.path("phases").size()).isEqualTo(1);
    }

    @Test
    void shouldSayNothingOfAnswersIfThereWasNone() {
        recorder.add(Rows.failed(BEGIN, 3, 503, "status 503"));

        JsonNode json = JsonMapper.builder().build().readTree(LoadJson.of(recorder.result()));

        assertThat(json.path("p99Ms").isNull()).isTrue();
        assertThat(json.path("accuracy").isNull()).isTrue();
        assertThat(LoadTable.of(recorder.result())).contains("failed 1: status 503");
    }

    @Test
    void shouldKeepABoundedNumberOfReasons() {
        for (int i = 0; i < 1_000; i++) {
            recorder.add(Rows.failed(BEGIN, 1, 500, "reason " + i));
        }

        Map<String, Long> failures = recorder.result().all().failures();

        assertThat(failures).hasSize(21).containsEntry("other", 980L);
        assertThat(failures.keySet()).first().isEqualTo("other");
    }

    @Test
    void shouldShowATableLineForEachPhaseAndForAll() {
        recorder.add(Rows.answered(BEGIN, 0, 0, 1, 1, 1));
        recorder.add(Rows.answered(BEGIN + 500, 1, 0, 4, 0, 1));

        List<String> lines = LoadTable.of(recorder.result()).lines().toList();

        assertThat(lines).hasSize(4);
        assertThat(lines.get(0)).contains("P99 MS", "ACCURACY");
        assertThat(lines.get(1).strip()).startsWith("1 ").contains("100.00%");
        assertThat(lines.get(3).strip()).startsWith("all ").contains("50.00%");
    }
}
