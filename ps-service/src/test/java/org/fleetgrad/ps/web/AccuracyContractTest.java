package org.fleetgrad.ps.web;

import static org.assertj.core.api.Assertions.assertThat;

import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.ps.RunningService;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class AccuracyContractTest {

    private static final RunningService SERVICE =
            RunningService.start().startingAt(0, 0, 0, 0, 0, 0).withWorkers("a");

    @AfterAll
    static void stop() {
        SERVICE.close();
    }

    @Test
    @Order(1)
    void shouldHaveNoNumbersBeforeTheFirstEvaluation() {
        JsonNode reply = get(Routes.GET_ACCURACY);

        assertThat(reply.propertyNames()).containsExactlyInAnyOrder("code", "generation");
        assertThat(reply.get("generation").asString()).isEqualTo(SERVICE.generation());
    }

    @Test
    @Order(2)
    void shouldTellTheNewestAndTheBestEvaluation() {
        for (int push = 1; push <= 3; push++) {
            SERVICE.send(SERVICE.push("a", push, push - 1, 0, 0, 0, 0, 0, 0));
        }
        JsonNode whole = put(1, "0.75", ",\"loss\":0.5,\"accuracyTop5\":0.875");
        assertThat(whole.get("accuracyTop5").asDouble()).isEqualTo(0.875);
        assertThat(whole.get("loss").asDouble()).isEqualTo(0.5);
        assertThat(get(Routes.STATUS).get("accuracyTop5").asDouble()).isEqualTo(0.875);
        assertThat(get(Routes.STATUS).get("heldOutLoss").asDouble()).isEqualTo(0.5);
        JsonNode reply = put(2, "0.5", "");
        assertThat(((ObjectNode) reply.deepCopy()).without("parametersWanted")).isEqualTo(get(Routes.GET_ACCURACY));
        assertThat(reply.get("parametersWanted").asBoolean())
                .as("nothing survives a restart of this server")
                .isFalse();
        assertThat(reply.get("accuracy").asDouble()).isEqualTo(0.5);
        assertThat(reply.get("version").asLong()).isEqualTo(2);
        assertThat(reply.get("samples").asLong()).isEqualTo(100);
        assertThat(reply.get("best").asDouble()).isEqualTo(0.75);
        assertThat(reply.has("loss")).isFalse();
        assertThat(reply.has("accuracyTop5")).isFalse();
        assertThat(put(1, "1", "").get("version").asLong())
                .as("one that comes late")
                .isEqualTo(2);

        for (String route : new String[] {Routes.GET_VERSION, Routes.STATUS}) {
            assertThat(get(route).get("accuracy").asDouble()).isEqualTo(0.5);
            assertThat(get(route).get("accuracyVersion").asLong()).isEqualTo(2);
        }
    }

    /** Fewer tokens right, but a smaller loss; what was reported before was of no text, and does not compare. */
    @Test
    @Order(3)
    void shouldTellTheBestEvaluationOfATextByItsLoss() {
        String text = ",\"text\":{\"tokensPerSample\":64,\"bitsPerCharacter\":2.5}";
        put(2, "0.5", ",\"loss\":2.5" + text);
        put(2, "0.4", ",\"loss\":1.9" + text);
        JsonNode reply = put(3, "0.6", ",\"loss\":2.0" + text);

        assertThat(reply.get("best").asDouble()).isEqualTo(1.9);
        assertThat(reply.get("loss").asDouble()).isEqualTo(2.0);
        for (String route : new String[] {Routes.GET_VERSION, Routes.STATUS}) {
            assertThat(get(route).get("heldOutLoss").asDouble()).isEqualTo(2.0);
            assertThat(get(route).get("text").get("tokensPerSample").asInt()).isEqualTo(64);
            assertThat(get(route).get("text").get("bitsPerCharacter").asDouble())
                    .isEqualTo(2.5);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"generation", "version", "accuracy", "samples"})
    void shouldRefuseARequestThatLacksAMember(String member) {
        String body = body(SERVICE.generation(), "0", "0.5", "100", "")
                .replaceFirst("(\"%s\":)[^,}]+".formatted(member), "$1null");

        JsonNode problem = SERVICE.refused(SERVICE.json(Routes.PUT_ACCURACY, body), 400, ProblemKind.MALFORMED.rule());

        assertThat(problem.get("detail").asString()).isEqualTo("the request lacks '%s'".formatted(member));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0|1.5|100||accuracy must be between 0 and 1; it is 1.5",
                "0|-0.5|100||accuracy must be between 0 and 1; it is -0.5",
                "0|0.5|100|,\"accuracyTop5\":1.5|accuracyTop5 must be between the accuracy, which is 0.5, and 1; it is 1.5",
                "0|0.5|100|,\"accuracyTop5\":0.25|accuracyTop5 must be between the accuracy, which is 0.5, and 1; it is 0.25",
                "0|0.5|0||samples must be 1 or more; it is 0",
                "0|0.5|100|,\"loss\":-1|loss must be a finite number, 0 or more; it is -1.0",
                "0|0.5|100|,\"text\":{\"tokensPerSample\":64}|loss is missing: the evaluation has figures of a text, whose loss says how good it is",
                "0|0.5|100|,\"loss\":1,\"text\":{\"tokensPerSample\":0}|text.tokensPerSample must be 1 or more; it is 0",
                "0|0.5|100|,\"loss\":1e999|loss must be a finite number, 0 or more; it is Infinity"
            })
    void shouldRefuseNumbersThatMakeNoSense(
            String version, String accuracy, String samples, String more, String detail) {
        String body = body(SERVICE.generation(), version, accuracy, samples, more == null ? "" : more);

        JsonNode problem = SERVICE.refused(SERVICE.json(Routes.PUT_ACCURACY, body), 400, ProblemKind.MALFORMED.rule());

        assertThat(problem.get("detail").asString()).isEqualTo(detail);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '!',
            value = {
                "\"binary\":{\"f1\":0.5,\"precision\":0.5}|'binary.recall' must be a number; it is missing",
                "\"binary\":{\"f1\":0.5,\"precision\":0.5,\"recall\":null}|'binary.recall' must be a number; it is null",
                "\"binary\":{\"f1\":\"high\",\"precision\":0.5,\"recall\":1}|'binary.f1' must be a number; it is a text",
                "\"binary\":{\"f1\":1,\"precision\":[],\"recall\":1}|'binary.precision' must be a number; it is a list",
                "\"loss\":\"high\"|'loss' must be a number; it is a text",
                "\"text\":{}|'text.tokensPerSample' must be a whole number; it is missing"
            })
    void shouldNameTheMemberThatIsNoNumber(String more, String detail) {
        String body = body(SERVICE.generation(), "0", "0.5", "100", "," + more);

        JsonNode problem = SERVICE.refused(SERVICE.json(Routes.PUT_ACCURACY, body), 400, ProblemKind.MALFORMED.rule());

        assertThat(problem.get("detail").asString()).isEqualTo(detail);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "{\"accuracy\":\"high\"}", "{\"accuracy\":NaN}"})
    void shouldRefuseWhatIsNoEvaluation(String body) {
        SERVICE.refused(SERVICE.json(Routes.PUT_ACCURACY, body), 400, ProblemKind.MALFORMED.rule());
    }

    @Test
    void shouldRefuseANegativeVersion() {
        SERVICE.refused(
                SERVICE.json(Routes.PUT_ACCURACY, body(SERVICE.generation(), "-1", "0.5", "1", "")),
                400,
                ProblemKind.MALFORMED.rule());
    }

    @Test
    void shouldRefuseAnotherHistory() {
        JsonNode problem = SERVICE.refused(
                SERVICE.json(Routes.PUT_ACCURACY, body("other", "0", "0.5", "1", "")),
                409,
                ProblemKind.OTHER_GENERATION.rule());

        assertThat(problem.get("detail").asString())
                .isEqualTo("the evaluation is of generation 'other', the server's is '%s'"
                        .formatted(SERVICE.generation()));
    }

    @Test
    void shouldRefuseAVersionThatDoesNotExistYet() {
        JsonNode problem = SERVICE.refused(
                SERVICE.json(Routes.PUT_ACCURACY, body(SERVICE.generation(), "1000", "0.5", "1", "")),
                409,
                ProblemKind.FUTURE_VERSION.rule());

        assertThat(problem.get("detail").asString()).startsWith("the evaluation is of version 1000, the newest is ");
    }

    @Test
    void shouldRefuseAnotherMediaType() {
        SERVICE.refused(
                SERVICE.json(Routes.PUT_ACCURACY, "0.5").setHeader("Content-Type", "text/plain"),
                415,
                ProblemKind.UNSUPPORTED_MEDIA_TYPE.rule());
    }

    private static JsonNode get(String route) {
        return RunningService.body(SERVICE.send(SERVICE.get(route)));
    }

    private static JsonNode put(long version, String accuracy, String more) {
        return RunningService.body(SERVICE.send(SERVICE.json(
                Routes.PUT_ACCURACY, body(SERVICE.generation(), Long.toString(version), accuracy, "100", more))));
    }

    private static String body(String generation, String version, String accuracy, String samples, String more) {
        return "{\"generation\":\"%s\",\"version\":%s,\"accuracy\":%s,\"samples\":%s%s}"
                .formatted(generation, version, accuracy, samples, more);
    }
}
