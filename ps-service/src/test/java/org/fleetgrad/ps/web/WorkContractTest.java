package org.fleetgrad.ps.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest;
import java.util.HashMap;
import java.util.Map;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.ps.RunningService;
import org.fleetgrad.ps.Tensors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

@Timeout(60)
class WorkContractTest {

    private static final String WORK =
            "{\"dataset\":\"d\",\"epochs\":1,\"shards\":[{\"name\":\"s0\",\"url\":\"http://x/s0?sig=1\",\"samples\":8}]}";

    private static final class Empty {
        private static final RunningService SERVICE = RunningService.start().withWorkers("a");
    }

    @AfterAll
    static void stop() {
        Empty.SERVICE.close();
    }

    private static HttpRequest.Builder put(RunningService service, String body) {
        return service.json(Routes.PUT_WORK, body).method("PUT", HttpRequest.BodyPublishers.ofString(body));
    }

    private static JsonNode next(RunningService service, String worker) {
        return RunningService.body(
                service.send(service.json(Routes.NEXT_SHARD, "{\"worker\":\"%s\"}".formatted(worker))));
    }

    @Test
    void shouldHandOutWorkTakeItBackAndSayHowFarItIs() {
        try (RunningService service =
                RunningService.start().startingAt(0, 0, 0, 0, 0, 0).withWorkers("a", "b")) {
            JsonNode accepted = RunningService.body(service.send(put(service, WORK)));
            assertThat(accepted.get("created").asBoolean()).isTrue();
            assertThat(accepted.get("samples").asLong()).isEqualTo(8);

            JsonNode shard = next(service, "a");
            assertThat(shard.get("state").asString()).isEqualTo("shard");
            assertThat(shard.get("url").asString()).isEqualTo("http://x/s0?sig=1");
            assertThat(shard.get("sample").asLong()).isZero();
            assertThat(next(service, "b").get("state").asString()).isEqualTo("wait");

            JsonNode returned = RunningService.body(
                    service.send(service.json(Routes.COMPLETE_SHARD, "{\"worker\":\"a\",\"epoch\":0,\"shard\":0}")));
            assertThat(returned.get("complete").asBoolean()).isFalse();
            assertThat(returned.get("sample").asLong()).isZero();
            assertThat(next(service, "b").get("state").asString()).isEqualTo("shard");

            JsonNode work = RunningService.body(service.send(service.get(Routes.STATUS)))
                    .get("work");
            assertThat(work.get("shardsLeased").asInt()).isEqualTo(1);
            assertThat(work.get("done").asBoolean()).isFalse();
            assertThat(work.toString()).doesNotContain("sig=1");
            service.refused(put(service, WORK.replace("\"d\"", "\"e\"")), 409, ProblemKind.WORK_EXISTS.rule());
        }
    }

    private static String added(long number, int samples) {
        return "{\"number\":%d,\"name\":\"f%d\",\"url\":\"http://x/f%d\",\"samples\":%d}"
                .formatted(number, number, number, samples);
    }

    @Test
    void shouldAddAShardOnceAndNoMoreThanItsShareOfAnEpoch() {
        try (RunningService service = RunningService.start("ps.added-work-share=0.5")
                .startingAt(0, 0, 0, 0, 0, 0)
                .withWorkers("a")) {
            service.refused(service.json(Routes.ADD_WORK, added(0, 3)), 409, ProblemKind.NO_WORK.rule());
            service.send(put(service, WORK));

            JsonNode first = RunningService.body(service.send(service.json(Routes.ADD_WORK, added(0, 3))));
            JsonNode again = RunningService.body(service.send(service.json(Routes.ADD_WORK, added(0, 3))));
            JsonNode problem =
                    service.refused(service.json(Routes.ADD_WORK, added(1, 2)), 409, ProblemKind.WORK_FULL.rule());

            assertThat(first.get("created").asBoolean()).isTrue();
            assertThat(again.get("created").asBoolean()).isFalse();
            assertThat(problem.get("detail").asString())
                    .contains("in an epoch of 8 samples at most 4 may be added", "room for 1", "'f1' has 2");
            JsonNode shard = next(service, "a");
            assertThat(shard.get("name").asString()).isEqualTo("f0");
            assertThat(shard.get("shard").asInt()).isEqualTo(1);
            JsonNode work = RunningService.body(service.send(service.get(Routes.STATUS)))
                    .get("work");
            assertThat(work.get("added").get("shardsLeft").asInt()).isEqualTo(1);
            assertThat(work.get("added").get("last").asLong()).isZero();
            assertThat(work.get("shardsDone").asInt()).isZero();
        }
    }

    @Test
    void shouldAddNothingAfterAShardThatItDoesNotKnow() {
        try (RunningService service =
                RunningService.start("ps.added-work-share=1").startingAt(0, 0, 0, 0, 0, 0)) {
            service.send(put(service, WORK));
            String after = added(3, 1).replace("\"name\"", "\"after\":%d,\"name\"");

            JsonNode behind = service.refused(
                    service.json(Routes.ADD_WORK, after.formatted(2)), 409, ProblemKind.WORK_BEHIND.rule());
            service.refused(service.json(Routes.ADD_WORK, after.formatted(3)), 400, ProblemKind.MALFORMED.rule());
            service.refused(service.json(Routes.ADD_WORK, after.formatted(-2)), 400, ProblemKind.MALFORMED.rule());
            JsonNode first = RunningService.body(service.send(service.json(Routes.ADD_WORK, after.formatted(-1))));

            assertThat(behind.get("detail").asString())
                    .startsWith("shard 3 comes after 2, which this run does not know");
            assertThat(first.get("created").asBoolean()).isTrue();
        }
    }

    @Test
    void shouldTellAWorkerWithEachPushThatTheWorkIsPaused() {
        float[] ones = {1, 1, 1, 1, 1, 1};
        String paused = WORK.replace("\"epochs\":1", "\"epochs\":1,\"paused\":true");
        try (RunningService service =
                RunningService.start().startingAt(0, 0, 0, 0, 0, 0).withWorkers("a")) {
            service.send(put(service, WORK));
            assertThat(service.send(service.push("a", 1, 0, ones)).headers().map())
                    .doesNotContainKey("x-work");

            service.send(put(service, paused));
            for (String query : new String[] {"", "?pull=true"}) {
                long sequence = query.isEmpty() ? 2 : 3;
                assertThat(service.send(service.push(query, "a", sequence, sequence - 1, ones))
                                .headers()
                                .firstValue("X-Work"))
                        .contains("paused");
            }
            assertThat(service.send(service.push("a", 3, 2, ones)).headers().firstValue("X-Work"))
                    .as("a duplicate")
                    .contains("paused");

            service.send(put(service, WORK));
            assertThat(service.send(service.push("a", 4, 3, ones)).headers().map())
                    .doesNotContainKey("x-work");
        }
    }

    /** Workers request shards from the lead only. */
    @Test
    void shouldTakeNoWorkWhereAnotherServerIsTheLead() {
        for (String place : new String[] {"0/2", "1/2"}) {
            try (RunningService service = RunningService.start()) {
                Map<String, String> label =
                        Map.of("partition", place, "partition-origin", "o", "partition-layout", "2x3 a\n2x3 b");
                service.send(service.tensors("PUT", Routes.PUT_PARAMETER, Tensors.gradient(label, 1, 2, 3, 4, 5, 6))
                        .header("If-None-Match", "*"));

                if (place.equals("0/2")) {
                    assertThat(service.send(put(service, WORK)).statusCode()).isEqualTo(200);
                } else {
                    JsonNode problem = service.refused(put(service, WORK), 409, ProblemKind.NOT_LEAD.rule());
                    assertThat(problem.get("detail").asString())
                            .isEqualTo(
                                    "this server has partition 1/2 of the parameters, counted from 0: put the work to the server with partition 0, which is the lead");
                }
            }
        }
    }

    @Test
    void shouldRefuseWorkersItDoesNotKnowAndRunsWithoutWork() {
        RunningService service = Empty.SERVICE;
        service.refused(service.json(Routes.NEXT_SHARD, "{\"worker\":\"a\"}"), 409, ProblemKind.NO_WORK.rule());
        service.refused(
                service.json(Routes.COMPLETE_SHARD, "{\"worker\":\"a\",\"epoch\":0,\"shard\":0}"),
                409,
                ProblemKind.NO_WORK.rule());
        try (RunningService other = RunningService.start()) {
            other.send(put(other, WORK));
            other.refused(other.json(Routes.NEXT_SHARD, "{\"worker\":\"x\"}"), 409, ProblemKind.UNKNOWN_WORKER.rule());
        }
    }

    @Test
    void shouldRefuseAGradientOfOtherSamplesThanComeNextAndSayWhichThoseAre() {
        try (RunningService service =
                RunningService.start().startingAt(0, 0, 0, 0, 0, 0).withWorkers("a")) {
            service.send(put(service, WORK));
            assertThat(next(service, "a").get("state").asString()).isEqualTo("shard");
            Map<String, String> metadata = new HashMap<>(Tensors.metadata("a", 1, service.generation(), 0));
            metadata.put("cursor", "0/0/6");

            JsonNode problem = service.refused(
                    service.tensors("POST", Routes.PUT_GRADIENT, Tensors.gradient(metadata, 2, 4, 6, 8, 10, 12)),
                    409,
                    ProblemKind.OTHER_CURSOR.rule());

            assertThat(problem.get("detail").asString())
                    .isEqualTo("worker 'a' is at 0/0/0 of a shard of 8 samples, but its gradient covers 4 samples up to"
                            + " 0/0/6: ask for the next shard");
            assertThat(RunningService.body(service.send(service.get(Routes.GET_VERSION)))
                            .get("version")
                            .asLong())
                    .isZero();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {}                                                                              | the request lacks 'shards'
            {"shards":[]}                                                                   | lacks 'dataset'
            {"dataset":"d","shards":[]}                                                     | 'shards' has from 1 to 10000; it has 0
            {"dataset":" ","shards":[{"name":"s","url":"u","samples":1}]}                   | 'dataset' has 1 to 2048 characters
            {"dataset":"d","epochs":-1,"shards":[{"name":"s","url":"u","samples":1}]}       | 'epochs' is from 1 to 1000000000, or 0 for no end; it is -1
            {"dataset":"d","shards":[{"name":"s","url":"u"}]}                               | the request lacks a shard's 'samples'
            {"dataset":"d","shards":[{"name":"s","url":"u","samples":0}]}                   | a shard has from 1 to 1000000000 samples; 's' states 0
            {"dataset":"d","shards":[{"name":"s","url":"u","samples":1},{"name":"s","url":"v","samples":1}]} | the 2 shards have only 1 different names
            """)
    void shouldSayWhatIsWrongWithWork(String body, String detail) {
        JsonNode problem = Empty.SERVICE.refused(put(Empty.SERVICE, body), 400, ProblemKind.MALFORMED.rule());
        assertThat(problem.get("detail").asString()).contains(detail);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {}                                       | lacks 'worker'
            {"worker":"a"}                           | lacks 'epoch'
            {"worker":"a","epoch":0}                 | lacks 'shard'
            {"worker":"a","epoch":-1,"shard":0}      | 'epoch' is from 0 to 1000000000; it is -1
            {"worker":"a","epoch":4611686018427387904,"shard":0} | 'epoch' is from 0 to 1000000000; it is 4611686018427387904
            {"worker":"a","epoch":0,"shard":-2}      | 'shard' is 0 or more; it is -2
            """)
    void shouldSayWhatIsWrongWithAReturn(String body, String detail) {
        JsonNode problem = Empty.SERVICE.refused(
                Empty.SERVICE.json(Routes.COMPLETE_SHARD, body), 400, ProblemKind.MALFORMED.rule());
        assertThat(problem.get("detail").asString()).contains(detail);
    }
}
