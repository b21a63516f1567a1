package org.fleetgrad.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.fleetgrad.client.fake.FakeParameterServer;
import org.fleetgrad.networks.sampling.Sampling;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.serving.LiveModel;
import org.fleetgrad.serving.completion.Completions;
import org.fleetgrad.testing.OpenApiContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Completions of the complete service with a small GPT-2. The oracle decodes by hand. */
@Tag("kernels")
class CompletionServiceTest {

    private static final OpenApiContract CONTRACT = OpenApiContract.load();
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final ParameterVersion FIRST = new ParameterVersion("g", 1);
    private static final ParameterVersion SECOND = new ParameterVersion("g", 2);

    private static FakeParameterServer server;
    private static RunningService service;

    @BeforeAll
    static void start() throws IOException {
        server = new FakeParameterServer(0).heldTo(CONTRACT);
        service = RunningService.start(
                "inference.server=" + server.uri(),
                "inference.follow-interval=1ms",
                "inference.completions.max-prompt-tokens=100",
                "inference.completions.max-bytes=2KB");
        LiveModel model = service.context().getBean(LiveModel.class);
        for (ParameterVersion version : List.of(FIRST, SECOND)) {
            server.publish(version, TinyGpt2.set(version));
            await().atMost(PATIENCE).until(() -> model.versions().contains(version));
        }
    }

    @AfterAll
    static void stop() {
        service.close();
        server.close();
    }

    @AfterEach
    void nothingIsHeldAfterwards() {
        Completions completions = service.context().getBean(Completions.class);
        await().atMost(PATIENCE).until(() -> completions.running() == 0);
        assertThat(completions.bytes()).isZero();
    }

    private static JsonNode complete(String body) {
        HttpResponse<byte[]> response = CONTRACT.send(service.postJson("/v1/completions", body));
        assertThat(response.statusCode())
                .as(new String(response.body(), StandardCharsets.UTF_8))
                .isEqualTo(200);
        return JSON.readTree(response.body());
    }

    private static String text(JsonNode reply) {
        return reply.get("choices").get(0).get("text").asString();
    }

    @Test
    void shouldAnswerWhatDecodingByHandGives() {
        JsonNode reply = complete("{\"prompt\":\"ROMEO:\",\"max_tokens\":40,\"temperature\":0}");

        assertThat(text(reply)).isEqualTo(TinyGpt2.continued(SECOND, "ROMEO:", 40, Sampling.GREEDY, 0));
        assertThat(reply.get("id").asString()).startsWith("cmpl-");
        assertThat(reply.get("object").asString()).isEqualTo("text_completion");
        assertThat(reply.get("model").asString()).isEqualTo("fleetgrad");
        assertThat(reply.get("version").asLong()).isEqualTo(2);
        assertThat(reply.get("generation").asString()).isEqualTo("g");
        JsonNode choice = reply.get("choices").get(0);
        assertThat(choice.get("finish_reason").asString()).isEqualTo("length");
        assertThat(choice.get("logprobs").isNull()).isTrue();
        assertThat(reply.get("usage").toString())
                .isEqualTo("{\"prompt_tokens\":6,\"completion_tokens\":40,\"total_tokens\":46}");
    }

    @Test
    void shouldListTheModelThatRequestsMayName() {
        JsonNode listed =
                JSON.readTree(CONTRACT.send(service.get("/v1/models")).body()).get("data");
        assertThat(listed).hasSize(1);
        assertThat(listed.get(0))
                .isEqualTo(JSON.readTree(
                        CONTRACT.send(service.get("/v1/models/fleetgrad")).body()));
        assertThat(listed.get(0).get("version").asLong()).isEqualTo(2);
        String name = listed.get(0).get("id").asString();
        assertThat(complete("{\"prompt\":\"a\",\"max_tokens\":1,\"model\":\"%s\"}".formatted(name))
                        .get("model")
                        .asString())
                .isEqualTo(name);

        HttpResponse<byte[]> other = CONTRACT.send(service.get("/v1/models/gpt-4"));
        assertThat(other.statusCode()).isEqualTo(404);
        assertThat(JSON.readTree(other.body()).get("message").asString())
                .isEqualTo("there is no model 'gpt-4'; the model is 'fleetgrad'");
    }

    @Test
    void shouldGiveTheSameTextForTheSameSeedAndAnotherForNone() {
        String body = "{\"prompt\":[\"a\"],\"max_tokens\":30,\"temperature\":0.8,\"top_p\":0.9,\"seed\":7}";

        assertThat(text(complete(body)))
                .isEqualTo(TinyGpt2.continued(SECOND, "a", 30, new Sampling(0.8, 0.9), 7))
                .isEqualTo(text(complete(body)));
        JsonNode unseeded = complete("{\"prompt\":\"a\",\"max_tokens\":30}");
        assertThat(text(unseeded))
                .isEqualTo(TinyGpt2.continued(
                        SECOND,
                        "a",
                        30,
                        new Sampling(1, 1),
                        unseeded.get("seed").asLong()));
    }

    @ParameterizedTest
    @CsvSource({"1", "'\"1\"'", "'\"g-1\"'"})
    void shouldAnswerWithTheVersionThatTheRequestAsksFor(String version) {
        JsonNode reply = complete(
                "{\"prompt\":\"a\",\"temperature\":0,\"model\":\"fleetgrad\",\"version\":%s}".formatted(version));

        assertThat(reply.get("version").asLong()).isEqualTo(1);
        assertThat(text(reply)).isEqualTo(TinyGpt2.continued(FIRST, "a", 16, Sampling.GREEDY, 0));
    }

    @Test
    void shouldEndBeforeAStopText() {
        String all = TinyGpt2.continued(SECOND, "a", 20, new Sampling(1, 1), 3);
        String stop = all.substring(all.offsetByCodePoints(0, 8), all.offsetByCodePoints(0, 10));

        JsonNode reply = complete(JSON.writeValueAsString(
                Map.of("prompt", "a", "max_tokens", 20, "seed", 3, "stop", List.of(stop, "never"))));

        assertThat(text(reply)).isEqualTo(all.substring(0, all.indexOf(stop)));
        assertThat(reply.get("choices").get(0).get("finish_reason").asString()).isEqualTo("stop");
    }

    @Test
    void shouldCountCompletionsAndTheirTokens() throws Exception {
        complete("{\"prompt\":\"a\",\"max_tokens\":5}");

        HttpResponse<byte[]> metrics = CONTRACT.send(service.get("/actuator/prometheus"));

        assertThat(new String(metrics.body(), StandardCharsets.UTF_8))
                .containsPattern("(?m)^inference_completions_total [1-9]")
                .containsPattern("(?m)^inference_completion_tokens_total [1-9]")
                .containsPattern("(?m)^inference_completion_token_seconds_count [1-9]")
                .containsPattern("(?m)^inference_completions_refused_total 0")
                .containsPattern("(?m)^inference_completions_active 0")
                .containsPattern("(?m)^inference_completions_memory_bytes 0")
                .containsPattern("(?m)^http_server_requests_seconds_count\\{.*uri=\"/v1/completions\"");
    }

    @Test
    void shouldSlideOverAPromptThatIsLongerThanTheContext() {
        String prompt = "It was a truth".repeat(7);

        assertThat(text(complete("{\"prompt\":\"%s\",\"temperature\":0}".formatted(prompt))))
                .isEqualTo(TinyGpt2.continued(SECOND, prompt, 16, Sampling.GREEDY, 0));
    }

    @Test
    void shouldTakeTheNeutralValuesOfWhatItDoesNotHave() {
        assertThat(text(complete("""
                        {"prompt":"a","temperature":0,"n":1,"best_of":1,"echo":false,"frequency_penalty":0.0,"logprobs":null,
                        "presence_penalty":0,"logit_bias":{},"suffix":null,"user":"me","stop":null,"seed":null,"max_tokens":null}""")))
                .hasSize(TinyGpt2.continued(SECOND, "a", 16, Sampling.GREEDY, 0).length());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{ | 400 | malformed | the body is not JSON: ",
                "[] | 400 | malformed | the body must be like ",
                "`` | 400 | malformed | the body must be like ",
                "{\"prompt\":\"a\",\"prompt\":\"b\"} | 400 | malformed | the body is not JSON: line 1, column",
                "{} | 400 | invalid-parameter | prompt must be a string; it is ",
                "{\"prompt\":\"\"} | 400 | invalid-parameter | a prompt has 1 to 100 tokens; it has 0",
                "{\"prompt\":[\"a\",\"b\"]} | 400 | invalid-parameter | prompt must be one string: each request continues one text; it is [\"a\",\"b\"]",
                "{\"prompt\":[1,2]} | 400 | invalid-parameter | prompt must be one string: ",
                "{\"prompt\":\"año\"} | 400 | invalid-parameter | the prompt cannot be read: character 1, 'ñ' (U+00F1), is not one of the alphabet's 60",
                "{\"prompt\":\"a\\ud83d\"} | 400 | invalid-parameter | prompt has half of a surrogate pair, U+D83D, at place 1",
                "{\"prompt\":\"a\",\"model\":\"gpt-4\"} | 404 | not-found | there is no model 'gpt-4'; the model is 'fleetgrad'",
                "{\"prompt\":\"a\",\"model\":7} | 400 | invalid-parameter | model must be a string; it is 7",
                "{\"prompt\":\"a\",\"max_tokens\":0} | 400 | invalid-parameter | max_tokens must be a whole number from 1 to 1024; it is 0",
                "{\"prompt\":\"a\",\"max_tokens\":1025} | 400 | invalid-parameter | max_tokens must be a whole number from 1 to 1024; it is 1025",
                "{\"prompt\":\"a\",\"max_tokens\":\"9\"} | 400 | invalid-parameter | max_tokens must be a whole number from 1 to 1024; it is \"9\"",
                "{\"prompt\":\"a\",\"max_tokens\":1e999} | 400 | invalid-parameter | max_tokens must be ",
                "{\"prompt\":\"a\",\"temperature\":2.5} | 400 | invalid-parameter | temperature must be a number from 0 to 2; it is 2.5",
                "{\"prompt\":\"a\",\"top_p\":-1} | 400 | invalid-parameter | top_p must be a number from 0 to 1; it is -1",
                "{\"prompt\":\"a\",\"seed\":1.5} | 400 | invalid-parameter | seed must be a whole number from -9223372036854775808 to 9223372036854775807; it is 1.5",
                "{\"prompt\":\"a\",\"stop\":\"\"} | 400 | invalid-parameter | stop must be a string of 1 to 1000 characters, or up to 4 of them; it is \"\"",
                "{\"prompt\":\"a\",\"stop\":[\"a\",\"b\",\"c\",\"d\",\"e\"]} | 400 | invalid-parameter | stop must be ",
                "{\"prompt\":\"a\",\"stream\":1} | 400 | invalid-parameter | stream must be true or false; it is 1",
                "{\"prompt\":\"a\",\"n\":2} | 400 | invalid-parameter | n must be 1: this service has no other; it is 2",
                "{\"prompt\":\"a\",\"logprobs\":0} | 400 | invalid-parameter | logprobs must be null: this service does not have it; it is 0",
                "{\"prompt\":\"a\",\"echo\":true} | 400 | invalid-parameter | echo must be false: this service has no other; it is true",
                "{\"prompt\":\"a\",\"messages\":[]} | 400 | invalid-parameter | there is no parameter 'messages'",
                "{\"prompt\":\"a\",\"version\":\"newest\"} | 400 | invalid-parameter | a version is a number such as 12, or ",
                "{\"prompt\":\"a\",\"version\":9} | 404 | version-not-held | the version 9 is not held; held are [g-1, g-2]"
            })
    void shouldSayWhatIsWrong(String body, int status, String rule, String detail) {
        HttpResponse<byte[]> response = CONTRACT.send(service.postJson("/v1/completions", body));

        assertThat(response.statusCode()).isEqualTo(status);
        JsonNode problem = JSON.readTree(response.body());
        assertThat(problem.get("type").asString()).isEqualTo("urn:fleetgrad:problem:" + rule);
        assertThat(problem.get("detail").asString()).startsWith(detail);
        assertThat(problem.get("message")).as("what OpenAI's clients show").isEqualTo(problem.get("detail"));
    }

    @Test
    void shouldBoundTheTokensOfThePromptAndTheBytesOfTheBody() {
        assertThat(detail("{\"prompt\":\"%s\"}".formatted("a".repeat(101)), 400))
                .isEqualTo("a prompt has 1 to 100 tokens; it has 101");
        assertThat(detail("{\"prompt\":\"%s\"}".formatted("a".repeat(3000)), 413))
                .isEqualTo("the body has 3013 bytes, the limit is 2048");
        assertThat(detail("{\"prompt\":%s1%s}".formatted("[".repeat(900), "]".repeat(900)), 400))
                .startsWith("the body is not JSON: ");
    }

    private static String detail(String body, int status) {
        HttpResponse<byte[]> response = CONTRACT.send(service.postJson("/v1/completions", body));
        assertThat(response.statusCode()).isEqualTo(status);
        return JSON.readTree(response.body()).get("detail").asString();
    }
}
