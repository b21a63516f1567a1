package org.fleetgrad.openwhisk.fake;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.fleetgrad.openwhisk.fake.Http.Reply;
import org.fleetgrad.openwhisk.fake.ScriptedAction.Answer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compares the controller with the observed behaviour of a real one, on the wire. */
@Timeout(60)
class FakeOpenWhiskTest extends FakeFixture {

    @Test
    void shouldAcceptAndStoreLater() throws Exception {
        CountDownLatch mayEnd = new CountDownLatch(1);
        run.set(body -> {
            awaitQuietly(mayEnd);
            return Answer.ok("{\"a\":1}");
        });

        Reply accepted = http.send("POST", ACTION, "{}");

        assertThat(accepted.status()).isEqualTo(202);
        String id = accepted.body().get("activationId").stringValue();
        assertThat(accepted.activationId()).isEqualTo(id).matches("[0-9a-f]{32}");
        Reply absent = http.send("GET", "/namespaces/_/activations/" + id, "");
        assertThat(absent.status()).isEqualTo(404);
        assertThat(absent.body().get("error").stringValue()).isEqualTo("The requested resource does not exist.");
        mayEnd.countDown();
        Reply record = absent;
        while (record.status() == 404) {
            record = http.send("GET", "/namespaces/_/activations/" + id, "");
        }
        assertThat(record.body().at("/response/status").stringValue()).isEqualTo("success");
        assertThat(record.body().at("/response/result").toString()).isEqualTo("{\"a\":1}");
        assertThat(http.send("GET", "/namespaces/_/activations/" + id + "/result", "")
                        .body()
                        .at("/result/a")
                        .intValue())
                .isEqualTo(1);
        assertThat(http.send("GET", "/namespaces/_/activations/" + id + "/logs", "")
                        .body()
                        .get("logs"))
                .hasSize(2)
                .allSatisfy(line -> assertThat(line.stringValue()).contains(" stdout: answers /"));
    }

    @Test
    void shouldAnswerABlockingInvocationWithItsIdWhenItTakesTooLong() throws Exception {
        CountDownLatch mayEnd = new CountDownLatch(1);
        run.set(body -> {
            awaitQuietly(mayEnd);
            return Answer.ok("{}");
        });

        Reply reply = http.send("POST", ACTION + "?blocking=true&timeout=20", "{}");

        assertThat(reply.status()).isEqualTo(202);
        assertThat(reply.body().get("activationId").stringValue()).isEqualTo(reply.activationId());
        mayEnd.countDown();
        assertThat(http.send("POST", ACTION + "?blocking=true&timeout=60001", "{}")
                        .status())
                .isEqualTo(400);
    }

    @Test
    void shouldBoundPayloadsAndResults() throws Exception {
        Reply reply = blocking("{\"a\":\"%s\"}".formatted("x".repeat(1_200_001)));
        assertThat(reply.status()).isEqualTo(413);
        assertThat(reply.body().get("error").stringValue())
                .isEqualTo("Request larger than allowed: 1200009 > 1048576 bytes.");

        run.set(body -> Answer.ok("{\"a\":\"%s\"}".formatted("y".repeat(1_048_600))));
        Reply large = blocking("{}");
        assertThat(large.status()).isEqualTo(502);
        assertThat(large.body().at("/response/status").stringValue()).isEqualTo("application error");
        assertThat(large.body().at("/response/result/error").stringValue())
                .startsWith("The action produced a response that exceeded the allowed length: 1048608 > 1048576 bytes.")
                .hasSizeLessThan(2000);

        run.set(body -> Answer.ok("{\"a\":%s}".formatted(body.at("/value/a"))));
        assertThat(blocking("{\"a\":\"%s\"}".formatted("z".repeat(1_048_000))).status())
                .isEqualTo(200);
    }

    @Test
    void shouldRestartTheCountInEachMinute() throws Exception {
        for (int n = 0; n < 10; n++) {
            assertThat(blocking("{}").status()).isEqualTo(200);
        }
        assertThat(blocking("{}").status()).isEqualTo(429);

        clock.advance(Duration.ofMinutes(1));

        assertThat(blocking("{}").status()).isEqualTo(200);
    }

    @Test
    void shouldAskForTheKey() throws Exception {
        for (String auth : new String[] {"", "u:k"}) {
            Reply reply = new Http(openwhisk.uri(), auth).send("GET", "/namespaces/_/limits", "");
            assertThat(reply.status()).isEqualTo(401);
            assertThat(reply.body().propertyNames()).containsExactlyInAnyOrder("code", "error");
        }
        assertThat(http.send("GET", "/namespaces", "").body().toString()).isEqualTo("[\"guest\"]");
        assertThat(http.send("GET", "/namespaces/other/limits", "").status()).isEqualTo(403);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "PUT    | /namespaces/_/actions/rec | {\"exec\":{\"kind\":\"blackbox\",\"image\":\"a\"}} | 409",
                "PUT    | /namespaces/_/actions/x   | {                                                  | 400",
                "PUT    | /namespaces/_/actions/x   | {\"exec\":{\"kind\":\"blackbox\"}}                 | 400",
                "PUT    | /namespaces/_/actions/x   | {\"exec\":{\"kind\":\"blackbox\",\"image\":\"p/a:1-SNAPSHOT\"}} | 400",
                "PUT    | /namespaces/_/actions/x   | {\"exec\":{\"kind\":\"blackbox\",\"image\":\"p/a__b:1\"}} | 400",
                "PUT    | /namespaces/_/actions/x   | {\"exec\":{\"kind\":\"blackbox\",\"image\":\"a\"},\"limits\":{\"timeout\":99}} | 400",
                "PUT    | /namespaces/_/actions/x   | {\"exec\":{\"kind\":\"blackbox\",\"image\":\"a\"},\"limits\":{\"memory\":513}} | 400",
                "PUT    | /namespaces/_/actions/x   | {\"exec\":{\"kind\":\"blackbox\",\"image\":\"a\"},\"limits\":{\"memory\":\"1\"}} | 400",
                "GET    | /namespaces/_/actions/x   | `` | 404",
                "DELETE | /namespaces/_/actions/x   | `` | 404",
                "POST   | /namespaces/_/actions/x   | {} | 404",
                "POST   | /namespaces/_/actions/rec | [] | 400",
                "PATCH  | /namespaces/_/actions/rec | {} | 405",
                "POST   | /namespaces/_/limits      | {} | 405",
                "GET    | /namespaces/_/nothing     | `` | 404"
            })
    void shouldRefuse(String method, String path, String body, int status) throws Exception {
        Reply reply = http.send(method, path, body);

        assertThat(reply.status()).isEqualTo(status);
        assertThat(reply.body().get("error").isString()).isTrue();
    }

    @Test
    void shouldTellTheLimits() throws Exception {
        assertThat(http.send("GET", "/namespaces/_/limits", "").body().toString())
                .isEqualTo("{\"concurrentInvocations\":3,\"firesPerMinute\":10,\"invocationsPerMinute\":10}");
        assertThat(openwhisk.environment())
                .isEqualTo(Map.of(
                        "OPENWHISK_APIHOST",
                        openwhisk.uri().toString(),
                        "OPENWHISK_AUTH",
                        FakeSettings.STANDALONE.auth()));
    }
}
