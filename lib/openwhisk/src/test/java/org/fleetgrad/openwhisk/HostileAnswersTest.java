package org.fleetgrad.openwhisk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.fleetgrad.openwhisk.OpenWhiskException.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Responses that no controller sends, but that may come from a proxy, a captive portal, a bug or a broken connection. */
@Timeout(60)
class HostileAnswersTest {

    private static final String UUID = "23bc46b1-71f6-4ed5-8c54-816aa4f8c502";
    private static final String KEY = "123zO3xZCLrMN6v2BKK1dXYFpXlPkccOFqm12CdAsMgRU4VrNZ9lyGVCGuMDGIwP";
    private static final WhiskAuth AUTH = WhiskAuth.parse(UUID + ":" + KEY);
    private static final int LONGEST = 4096;

    private static OpenWhiskClient client(String host) {
        return client(host, Duration.ofSeconds(60));
    }

    private static OpenWhiskClient client(String host, Duration timeout) {
        return new OpenWhiskClient(ApiHost.parse(host), new Wire(AUTH, Optional.empty(), timeout, LONGEST));
    }

    private interface Asked {
        Object of(OpenWhiskClient client) throws OpenWhiskException, InterruptedException;
    }

    private static OpenWhiskException failure(String host, Asked asked) {
        OpenWhiskException failure = catchThrowableOfType(OpenWhiskException.class, () -> asked.of(client(host)));
        assertThat(failure).as("a failure").isNotNull();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            assertThat(String.valueOf(cause)).doesNotContain(KEY, AUTH.header());
        }
        return failure;
    }

    private static OpenWhiskException failure(RawServer server, Asked asked) {
        return failure(server.uri().toString(), asked);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`<html>log in</html>` | 19 bytes that are not JSON: <html>log in</html>",
                "`{\"response\":`      | 12 bytes that are not JSON: {\"response\":",
                "``                    | no body; it must be JSON",
                "`[]`                  | []; it must be an object",
                "`null`                | null; it must be an object",
                "`7`                   | 7; it must be an object",
                "`{}`                  | 'response' being nothing; it must be an object",
                "`{\"response\":[]}`   | 'response' being []; it must be an object",
                "`{\"annotations\":7}` | 'annotations' being 7; it must be a list of keys and values",
                "`{\"annotations\":[7]}` | 'annotations' being 7; it must be a list of keys and values",
                "`{\"response\":{},\"start\":\"now\"}` | 'start' being \"now\"; it must be a whole number, 0 or more",
                "`{\"response\":{},\"start\":-1}` | 'start' being -1; it must be a whole number, 0 or more",
                "`{\"response\":{},\"start\":1.5}` | 'start' being 1.5; it must be a whole number, 0 or more",
                "`{\"response\":{},\"start\":99999999999999999999}` | 'start' being 99999999999999999999; it must be a whole number, 0 or more",
                "`{\"response\":{},\"start\":1}` | 'activationId' being nothing; it must be a string",
                "`{\"response\":{},\"start\":1,\"activationId\":1}` | 'activationId' being 1; it must be a string",
                "`{\"response\":{\"status\":\"fine\"},\"start\":1,\"activationId\":\"a\",\"name\":\"n\",\"namespace\":\"g\"}` | 'response.status' being \"fine\"; it must be success, application error, action developer error or whisk internal error",
                "`{\"response\":{\"status\":\"success\"},\"start\":1,\"activationId\":\"a\",\"name\":\"n\",\"namespace\":\"g\",\"logs\":[1]}` | 'logs' being 1; it must be a list of strings",
                "`{\"response\":{\"status\":\"success\"},\"start\":1,\"activationId\":\"a\",\"name\":\"n\",\"namespace\":\"g\",\"annotations\":[{\"key\":\"waitTime\",\"value\":\"long\"}]}` | 'annotations.waitTime' being \"long\"; it must be a whole number, 0 or more"
            })
    void shouldSayWhatIsWrongWithARecord(String body, String what) throws IOException {
        try (RawServer server = RawServer.answering(200, "", body)) {
            OpenWhiskException failure = failure(server, client -> client.activation("abc"));

            assertThat(failure)
                    .hasMessage("GET %s/api/v1/namespaces/_/activations/abc answered 200 with %s", server.uri(), what);
            assertThat(failure.kind()).isEqualTo(Kind.MALFORMED);
            assertThat(failure.isTransient()).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"invocationsPerMinute\":\"60\",\"concurrentInvocations\":30}",
                "{\"invocationsPerMinute\":60,\"concurrentInvocations\":30,\"storeActivations\":\"yes\"}"
            })
    void shouldRefuseInvalidLimits(String body) throws IOException {
        try (RawServer server = RawServer.answering(200, "", body)) {
            assertThat(failure(server, OpenWhiskClient::limits).kind()).isEqualTo(Kind.MALFORMED);
        }
    }

    @Test
    void shouldNotTakeAnActionWithSenselessLimits() throws IOException {
        String body = """
                {"namespace":"g","name":"n","version":"0.0.1","exec":{"kind":"blackbox"},
                "limits":{"timeout":0,"memory":256,"logs":10}}""";
        try (RawServer server = RawServer.answering(200, "", body)) {
            assertThat(failure(server, client -> client.getAction("n")))
                    .hasMessageContaining("answered 200 with 'limits.timeout' being 0");
        }
    }

    @Test
    void shouldSayThatABodyWasCut() throws IOException {
        try (RawServer server = new RawServer(
                out -> out.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"activ".getBytes(UTF_8)))) {
            OpenWhiskException failure = failure(server, client -> client.activation("abc"));

            assertThat(failure)
                    .hasMessageStartingWith(
                            "GET %s/api/v1/namespaces/_/activations/abc got no complete answer: ", server.uri());
            assertThat(failure.kind()).isEqualTo(Kind.LOST);
            assertThat(failure.isTransient()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 4097\r\n",
                "Content-Length: 999999999999\r\n",
                "Transfer-Encoding: chunked\r\n",
                ""
            })
    void shouldNotReadMoreThanTheBound(String header) throws IOException {
        byte[] part = "x".repeat(1024).getBytes(UTF_8);
        try (RawServer server = new RawServer(out -> {
            out.write("HTTP/1.1 200 OK\r\n%s\r\n".formatted(header).getBytes(UTF_8));
            for (int parts = 0; parts < 100_000; parts++) {
                if (header.startsWith("Transfer")) {
                    out.write("400\r\n".getBytes(UTF_8));
                }
                out.write(part);
                if (header.startsWith("Transfer")) {
                    out.write("\r\n".getBytes(UTF_8));
                }
            }
        })) {
            OpenWhiskException failure = failure(server, client -> client.activation("abc"));

            assertThat(failure)
                    .hasMessage(
                            "GET %s/api/v1/namespaces/_/activations/abc got an answer of more than 4096 bytes",
                            server.uri());
            assertThat(failure.kind()).isEqualTo(Kind.MALFORMED);
        }
    }

    @Test
    void shouldNotWaitForEverForABodyThatDrips() throws IOException {
        CountDownLatch hasEnough = new CountDownLatch(1);
        try (RawServer server = new RawServer(out -> {
            out.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{".getBytes(UTF_8));
            out.flush();
            hasEnough.await();
        })) {
            OpenWhiskException failure = failure(
                    server,
                    ignored -> client(server.uri().toString(), Duration.ofMillis(300))
                            .activation("abc"));

            assertThat(failure)
                    .hasMessage(
                            "GET %s/api/v1/namespaces/_/activations/abc got no complete answer within 300 ms",
                            server.uri());
            assertThat(failure.isTransient()).isTrue();
            hasEnough.countDown();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 303, 307, 308})
    void shouldNotCarryTheKeyWhereARedirectLeads(int status) throws IOException {
        try (RawServer elsewhere = RawServer.answering(200, "", "{}");
                RawServer server = RawServer.answering(status, "Location: %s/x\r\n".formatted(elsewhere.uri()), "")) {
            assertThat(failure(server, client -> client.invoke("worker", Map.of())))
                    .hasMessage(
                            "POST %s/api/v1/namespaces/_/actions/worker: %d redirects to %s/x, which is not followed: the key is for %s/api/v1 only; write the address of the controller in OPENWHISK_APIHOST",
                            server.uri(), status, elsewhere.uri(), server.uri());
            assertThat(elsewhere.heads()).isEmpty();
            assertThat(server.heads()).hasSize(1);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "200 | you sent %s",
                "200 | [\"%s\"]",
                "200 | {\"invocationsPerMinute\":\"%s\"}",
                "400 | you sent %s",
                "403 | {\"error\":\"not for %s\"}",
                "500 | {\"error\":\"%s\"}",
                "502 | %s"
            })
    void shouldNotShowTheKeyThatAServerSendsBack(int status, String body) throws IOException {
        for (String echo : new String[] {AUTH.header(), UUID + ":" + KEY, KEY}) {
            try (RawServer server = RawServer.answering(status, "", body.formatted(echo))) {
                assertThat(failure(server, OpenWhiskClient::limits)).hasMessageContaining("[hidden]");
            }
        }
    }

    @Test
    void shouldNotShowTheKeyOfARedirect() throws IOException {
        try (RawServer server = RawServer.answering(302, "Location: http://%s@evil/\r\n".formatted(KEY), "")) {
            assertThat(failure(server, OpenWhiskClient::limits))
                    .hasMessageContaining("redirects to http://[hidden]@evil/");
        }
    }

    @Test
    void shouldNotShowTheKeyInAnUncertainInvocation() throws Exception {
        for (String body : new String[] {"{\"activationId\":\"%s!\"}".formatted(KEY), "you sent " + KEY}) {
            try (RawServer server = RawServer.answering(202, "", body)) {
                assertThat(client(server.uri().toString())
                                .invoke("worker", Map.of())
                                .toString())
                        .startsWith("Uncertain[")
                        .contains("[hidden]")
                        .doesNotContain(KEY);
            }
        }
    }

    @Test
    void shouldShowAChallengeAsARefusal() throws IOException {
        try (RawServer server = RawServer.answering(401, "WWW-Authenticate: Basic realm=\"whisk\"\r\n", "")) {
            OpenWhiskException failure = failure(server, OpenWhiskClient::limits);

            assertThat(failure).hasMessage("GET %s/api/v1/namespaces/_/limits: 401 without a reason", server.uri());
            assertThat(failure.status()).hasValue(401);
        }
    }

    @Test
    void shouldMakeShownTextHarmless() throws IOException {
        String body = "\u001b[31mred\u0000\u202e" + "x".repeat(1000);
        try (RawServer server = RawServer.answering(500, "", body)) {
            String message =
                    String.valueOf(failure(server, OpenWhiskClient::limits).getMessage());

            assertThat(message)
                    .contains("500 \uFFFD[31mred\uFFFD\uFFFDxxx")
                    .endsWith("… (1010 characters)")
                    .hasSizeLessThan(600);
        }
    }

    @Test
    void shouldSayThatNobodyListens() throws IOException {
        int port;
        try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = closed.getLocalPort();
        }
        String host = "http://127.0.0.1:" + port;

        OpenWhiskException failure = failure(host, client -> client.invoke("worker", Map.of()));

        assertThat(failure)
                .hasMessageStartingWith(
                        "POST %s/api/v1/namespaces/_/actions/worker could not connect: nobody listens there", host);
        assertThat(failure.kind()).isEqualTo(Kind.UNREACHABLE);
        assertThat(failure.isTransient()).isTrue();
    }

    @Test
    void shouldSayThatThereIsNoSuchHost() {
        OpenWhiskException failure = failure("http://no-such-host.invalid", OpenWhiskClient::limits);

        assertThat(failure)
                .hasMessage(
                        "GET http://no-such-host.invalid/api/v1/namespaces/_/limits could not connect: there is no such host");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "200 | '' | '<html>'                      ",
                "202 | '' | '{\"activationId\":7}'         ",
                "202 | '' | '{\"activationId\":\"../x\"}'  ",
                "202 | '' | '{}'                           ",
                "202 | 'x-openwhisk-activation-id: ../x'  | '{}' ",
                "500 | '' | '{\"error\":\"no\"}'          ",
                "502 | '' | 'upstream reset'              ",
                "504 | '' | ''                            "
            })
    void shouldReportAnUncertainInvocationWhenNoIdCame(int status, String header, String body)
            throws IOException, InterruptedException {
        try (RawServer server = RawServer.answering(status, header.isEmpty() ? "" : header + "\r\n", body)) {
            assertThat(client(server.uri().toString()).invoke("worker", Map.of()))
                    .isInstanceOfSatisfying(
                            Invocation.Uncertain.class,
                            uncertain -> assertThat(uncertain.message())
                                    .contains("/actions/worker", Integer.toString(status)));
        }
    }

    @Test
    void shouldReportAnUncertainInvocationWhenItsAnswerIsLost() throws IOException, InterruptedException {
        try (RawServer server = new RawServer(out -> {})) {
            assertThat(client(server.uri().toString()).invoke("worker", Map.of()))
                    .isInstanceOfSatisfying(
                            Invocation.Uncertain.class,
                            uncertain ->
                                    assertThat(uncertain.message()).contains("/actions/worker got no complete answer"));
            assertThat(server.heads()).as("sent once").hasSize(1);
        }
    }

    @Test
    void shouldTakeTheIdFromTheHeaderWhereTheBodyHasNone() throws IOException, InterruptedException {
        try (RawServer server = RawServer.answering(202, "X-OpenWhisk-Activation-Id: 77c8aa00\r\n", "")) {
            assertThat(client(server.uri().toString()).invoke("worker", Map.of()))
                    .isEqualTo(new Invocation.Invoked("77c8aa00"));
        }
    }
}
