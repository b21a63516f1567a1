package org.fleetgrad.openwhisk.fake;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.fleetgrad.openwhisk.fake.Http.Reply;
import org.fleetgrad.openwhisk.fake.ScriptedAction.Answer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Compares the invoker with the observed behaviour of a real one, in its containers and in its records. */
@Timeout(60)
class FakeInvokerTest extends FakeFixture {

    @Test
    void shouldSendTheBodiesThatWereObserved() throws Exception {
        http.send(
                "PUT",
                ACTION + "?overwrite=true",
                BLACKBOX.formatted(
                        ",\"parameters\":[{\"key\":\"SOME_VAR\",\"value\":\"v\",\"init\":true},{\"key\":\"plain\",\"value\":1}]"));

        String id = blocking("{\"a\":1}").activationId();

        JsonNode init = action.bodies("/init").get(0);
        assertThat(init.propertyNames()).containsExactly("value");
        assertThat(init.get("value").propertyNames()).containsExactlyInAnyOrder("name", "binary", "main", "env");
        assertThat(init.at("/value/env").propertyNames())
                .containsExactlyInAnyOrder(
                        "SOME_VAR",
                        "__OW_ACTION_NAME",
                        "__OW_ACTION_VERSION",
                        "__OW_ACTIVATION_ID",
                        "__OW_DEADLINE",
                        "__OW_NAMESPACE",
                        "__OW_TRANSACTION_ID");
        assertThat(init.at("/value/env"))
                .allSatisfy(value -> assertThat(value.isString()).isTrue());
        JsonNode body = action.bodies("/run").get(0);
        assertThat(body.propertyNames())
                .containsExactlyInAnyOrder(
                        "action_name",
                        "action_version",
                        "activation_id",
                        "deadline",
                        "namespace",
                        "transaction_id",
                        "value");
        assertThat(body.get("action_name").stringValue()).isEqualTo("/guest/rec");
        assertThat(body.get("action_version").stringValue()).isEqualTo("0.0.2");
        assertThat(body.get("activation_id").stringValue()).isEqualTo(id);
        assertThat(Long.parseLong(body.get("deadline").stringValue())).isGreaterThan(System.currentTimeMillis());
        assertThat(body.get("value").toString()).isEqualTo("{\"plain\":1,\"a\":1}");
        assertThat(action.events().get(0).body().get("__OW_API_HOST").stringValue())
                .isEqualTo(openwhisk.uri().toString());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "200 | {\"a\":1}           | 200 | success                | {\"a\":1}",
                "200 | [1,2]               | 200 | success                | [1,2]",
                "200 | {\"error\":\"no\"}  | 502 | application error      | {\"error\":\"no\"}",
                "200 | {\"error\":{\"x\":1}} | 502 | application error    | {\"error\":{\"x\":1}}",
                "200 | text                | 502 | action developer error | {\"error\":\"The action did not produce a valid JSON response: text\"}",
                "200 | 7                   | 502 | action developer error | {\"error\":\"The action did not produce a valid JSON response: 7\"}",
                "502 | {\"error\":\"no\"}  | 502 | action developer error | {\"error\":\"no\"}",
                "500 | {\"a\":1}           | 502 | action developer error | {\"error\":\"The action did not produce a valid JSON response: {\\\"a\\\":1}\"}",
                "500 | ``                  | 502 | action developer error | {\"error\":\"The action did not produce a valid JSON response.\"}"
            })
    void shouldJudgeAnswersOfARun(int containerStatus, String body, int status, String word, String result)
            throws Exception {
        run.set(ignored -> new Answer(containerStatus, body, false));

        Reply reply = blocking("{}");

        assertThat(reply.status()).isEqualTo(status);
        assertThat(reply.body().at("/response/status").stringValue()).isEqualTo(word);
        assertThat(reply.body().at("/response/result").toString()).isEqualTo(result);
        assertThat(reply.body().at("/response/success").booleanValue()).isEqualTo(status == 200);
        boolean isDestroyed = word.equals("action developer error");
        assertThat(action.names().contains("kill")).isEqualTo(isDestroyed);
        assertThat(http.send("POST", ACTION + "?blocking=true&result=true", "{}")
                        .body()
                        .toString())
                .isEqualTo(result);
        assertThat(action.bodies("/init")).hasSize(isDestroyed ? 2 : 1);
    }

    @Test
    void shouldThrowAwayAnAnswerInChunks() throws Exception {
        run.set(ignored -> new Answer(200, "{\"a\":1}", true));

        assertThat(blocking("{}").body().at("/response/result/error").stringValue())
                .isEqualTo("The action did not produce a valid response and exited unexpectedly.");
        assertThat(action.names()).contains("kill");
    }

    @Test
    void shouldKillAContainerWhoseTimeIsOver() throws Exception {
        openwhisk.close();
        start(FakeSettings.STANDALONE, action, 2_000);
        CountDownLatch never = new CountDownLatch(1);
        run.set(body -> {
            awaitQuietly(never);
            return Answer.ok("{}");
        });

        Reply reply = blocking("{}");

        assertThat(reply.status()).isEqualTo(502);
        assertThat(reply.body().at("/response/status").stringValue()).isEqualTo("action developer error");
        assertThat(reply.body().at("/response/result/error").stringValue())
                .isEqualTo("The action exceeded its time limits of 2000 milliseconds.");
        assertThat(annotation(reply.body(), "timeout").booleanValue()).isTrue();
        assertThat(reply.body().get("duration").longValue()).isGreaterThanOrEqualTo(1900);
        assertThat(action.names()).containsExactly("start", "/init", "/run", "kill");
    }

    @Test
    void shouldReuseAWarmContainerAndSayWhichStartWasCold() throws Exception {
        Reply cold = blocking("{}");
        Reply warm = blocking("{}");

        assertThat(annotation(cold.body(), "initTime").isIntegralNumber()).isTrue();
        assertThat(annotation(warm.body(), "initTime").isMissingNode()).isTrue();
        assertThat(annotation(warm.body(), "waitTime").isIntegralNumber()).isTrue();
        assertThat(annotation(warm.body(), "limits").get("timeout").intValue()).isEqualTo(TIME_LIMIT_MILLIS);
        assertThat(action.names()).containsExactly("start", "/init", "/run", "/run");
    }

    @Test
    void shouldNotReuseAContainerOfAnotherVersion() throws Exception {
        blocking("{}");
        http.send("PUT", ACTION + "?overwrite=true", BLACKBOX.formatted(""));

        blocking("{}");

        assertThat(action.names().stream().filter("start"::equals)).hasSize(2);
    }

    @Test
    void shouldStartAnotherContainerWhenAllAreBusyAndPauseThemWhenIdle() throws Exception {
        openwhisk.close();
        start(FakeSettings.STANDALONE.withTimes(Duration.ofSeconds(10), Duration.ofMillis(20)), action);
        CountDownLatch both = new CountDownLatch(2);
        run.set(body -> {
            both.countDown();
            awaitQuietly(both);
            return Answer.ok("{}");
        });

        http.send("POST", ACTION, "{}");
        http.send("POST", ACTION, "{}");

        action.await("pause", 2);
        assertThat(action.events().stream().map(ScriptedAction.Event::container).distinct())
                .containsExactlyInAnyOrder("wsk1_guest_rec", "wsk2_guest_rec");
        blocking("{}");
        assertThat(action.names().stream().filter(name -> name.equals("start") || name.equals("resume")))
                .containsExactly("start", "start", "resume");
    }

    @Test
    void shouldWaitForMemoryInOrder() throws Exception {
        openwhisk.close();
        start(FakeSettings.STANDALONE.withMemory(512, 256), action);
        CountDownLatch mayEnd = new CountDownLatch(1);
        run.set(body -> {
            awaitQuietly(mayEnd);
            return Answer.ok("{}");
        });
        http.send("POST", ACTION, "{\"n\":1}");
        action.await("/run", 1);
        http.send("POST", ACTION, "{\"n\":2}");
        http.send("POST", ACTION, "{\"n\":3}");
        mayEnd.countDown();

        action.await("/run", 3);

        assertThat(action.names().stream().filter("start"::equals)).hasSize(1);
    }

    @Test
    void shouldGiveTheWorkOfAContainerThatIsGoingToAnother() throws Exception {
        run.set(body -> {
            boolean isFirst = action.bodies("/run").size() == 1;
            return isFirst ? new Answer(503, "{}", false) : Answer.ok("{\"a\":1}");
        });

        assertThat(blocking("{}").status()).isEqualTo(200);

        assertThat(action.names()).containsExactly("start", "/init", "/run", "kill", "start", "/init", "/run");
    }

    @Test
    void shouldRunAnActivationAgainUnderItsIdWhenItsWarmContainerDies() throws Exception {
        blocking("{}");
        run.set(body -> action.bodies("/run").size() == 2 ? Answer.silence() : Answer.ok("{\"a\":1}"));

        Reply reply = blocking("{\"n\":7}");

        assertThat(reply.status()).isEqualTo(200);
        assertThat(action.bodies("/run"))
                .filteredOn(body -> body.at("/value/n").intValue(0) == 7)
                .hasSize(2)
                .allSatisfy(body -> assertThat(body.get("activation_id").stringValue())
                        .isEqualTo(reply.body().get("activationId").stringValue()));
        assertThat(action.names()).containsExactly("start", "/init", "/run", "/run", "kill", "start", "/init", "/run");
        assertThat(annotation(reply.body(), "initTime").isIntegralNumber())
                .as("the record is that of the last try")
                .isTrue();
    }

    @Test
    void shouldNotRunAnActivationAgainWhoseColdContainerDiesOrWhereTheOperatorDoesNotWantIt() throws Exception {
        run.set(body -> Answer.silence());
        assertThat(blocking("{}").body().at("/response/result/error").stringValue())
                .isEqualTo("The action did not produce a valid response and exited unexpectedly.");

        openwhisk.close();
        start(FakeSettings.STANDALONE.withoutRetries(), action);
        run.set(body -> Answer.ok("{}"));
        blocking("{}");
        run.set(body -> Answer.silence());
        assertThat(blocking("{}").body().at("/response/result/error").stringValue())
                .isEqualTo("The action did not produce a valid response and exited unexpectedly.");
    }

    @Test
    void shouldKeepNoLogsWhereTheOperatorKeepsThemElsewhere() throws Exception {
        openwhisk.close();
        start(FakeSettings.STANDALONE.withoutLogs(), action);

        assertThat(blocking("{}").body().get("logs").toString()).isEqualTo("[]");
    }

    @Test
    void shouldFailAnActivationWhoseInitializationFails() throws Exception {
        openwhisk.close();
        action = new ScriptedAction((path, body) -> new Answer(502, "{\"error\":\"no weights\"}", false));
        start(FakeSettings.STANDALONE, action);

        Reply reply = blocking("{}");

        assertThat(reply.body().at("/response/status").stringValue()).isEqualTo("action developer error");
        assertThat(reply.body().at("/response/result/error").stringValue()).isEqualTo("no weights");
        assertThat(action.names()).containsExactly("start", "/init", "kill");
    }

    @Test
    void shouldFailAnActivationWhoseContainerCannotStart() throws Exception {
        openwhisk.close();
        openwhisk = new FakeOpenWhisk(FakeSettings.STANDALONE, (name, image, memory, environment) -> {
            throw new IOException("no room");
        });
        http = new Http(openwhisk.uri(), FakeSettings.STANDALONE.auth());
        http.send("PUT", ACTION, BLACKBOX.formatted(""));

        Reply reply = blocking("{}");

        assertThat(reply.status()).isEqualTo(500);
        assertThat(reply.body().at("/response/status").stringValue()).isEqualTo("whisk internal error");
    }

    @Test
    void shouldKillItsContainersWhenItIsClosed() throws Exception {
        blocking("{}");

        openwhisk.close();

        assertThat(action.names()).endsWith("kill");
    }

    @Test
    void shouldKillAContainerThatStartsDuringClose() throws Exception {
        openwhisk.close();
        CompletableFuture<Boolean> isStarting = new CompletableFuture<>();
        CompletableFuture<Boolean> mayStart = new CompletableFuture<>();
        CountDownLatch isKilled = new CountDownLatch(1);
        start(FakeSettings.STANDALONE, (name, image, memory, environment) -> {
            isStarting.complete(true);
            mayStart.join();
            return new ContainerHost.Container() {
                @Override
                public URI address() {
                    return openwhisk.uri();
                }

                @Override
                public void kill() {
                    isKilled.countDown();
                }
            };
        });
        http.send("POST", ACTION, "{}");
        isStarting.join();

        openwhisk.close();
        mayStart.complete(true);

        isKilled.await();
    }
}
