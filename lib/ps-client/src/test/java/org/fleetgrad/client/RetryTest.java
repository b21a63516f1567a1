package org.fleetgrad.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.fleetgrad.client.internal.http.Transport;
import org.fleetgrad.files.retry.Sleeper;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.protocol.messages.ParameterMessages.PushReply;
import org.fleetgrad.protocol.messages.ParameterMessages.VersionReply;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.testing.ManualClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls that fail and are repeated; simulated time passes only in pauses, and a pause takes no real time. */
class RetryTest {

    private static final VersionReply VERSION = new VersionReply(200, 7, null, null, null, null, "g", true);

    private final ManualClock clock = new ManualClock();
    private final List<Long> pauses = new ArrayList<>();
    private Runnable duringPause = () -> {};
    private ScriptedServer server;

    @BeforeEach
    void start() throws IOException {
        server = new ScriptedServer(0);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void shouldAskAgainAfterThePauseThatTheServerAsksFor() throws IOException {
        server.then(Reply.busy("1")).then(Reply.busy("soon")).then(Reply.json(200, VERSION));

        assertThat(client(60).version()).isEqualTo(VERSION);

        assertThat(pauses).containsExactly(1000L, 100L);
    }

    /** A slow network broke the request up: nothing of it was done. */
    @Test
    void shouldRepeatARequestWhoseBodyDidNotArriveInTime() throws IOException {
        server.then(Reply.problem(408, "request-timeout")).then(Reply.json(200, VERSION));

        assertThat(client(60).version()).isEqualTo(VERSION);

        assertThat(pauses).containsExactly(50L);
    }

    @Test
    void shouldPauseLongerAndLongerUpToTwoSeconds() throws IOException {
        for (int i = 0; i < 8; i++) {
            server.then(Reply.problem(503, "busy"));
        }
        server.then(Reply.json(200, VERSION));

        client(60).version();

        assertThat(pauses).containsExactly(50L, 100L, 200L, 400L, 800L, 1600L, 2000L, 2000L);
    }

    @ParameterizedTest
    @CsvSource({"0, 50", "3600, 2000", "99999, 50", "-1, 50", "'Wed, 21 Oct 2026 07:28:00 GMT', 50"})
    void shouldKeepThePauseWithinBoundsWhateverTheServerAsksFor(String retryAfter, long pause) throws IOException {
        server.then(Reply.busy(retryAfter)).then(Reply.json(200, VERSION));

        client(60).version();

        assertThat(pauses).containsExactly(pause);
    }

    @Test
    void shouldNotSpinWhenServerAsksForNoPauseAndThenIsAway() {
        server.then(Reply.busy("0"));
        // More than there are tries: the JDK asks a second time by itself where a GET's answer is lost.
        for (int i = 0; i < 20; i++) {
            server.then(Reply.lost());
        }

        assertThatThrownBy(client(1)::version).isInstanceOf(ServerUnavailableException.class);

        assertThat(pauses).containsExactly(50L, 100L, 200L, 400L);
    }

    @Test
    void shouldFindTheServerThatComesBackOnItsPort() throws IOException {
        int port = server.port();
        server.close();
        duringPause = () -> {
            if (pauses.size() == 3) {
                restart(port);
            }
        };

        PsClient client = client(60);

        assertThat(client.version()).isEqualTo(VERSION);
        assertThat(pauses).containsExactly(50L, 100L, 200L);
    }

    private void restart(int port) {
        try {
            server = new ScriptedServer(port).then(Reply.json(200, VERSION));
        } catch (IOException failed) {
            throw new AssertionError(failed);
        }
    }

    @Test
    void shouldSendThePushWhoseAnswerWasLostAgainUnderItsSequence() throws Exception {
        server.then(Reply.lost())
                .then(Reply.json(200, new PushReply(200, "applied", 8, 0, false, null))
                        .stating(500))
                .then(Reply.json(200, new PushReply(200, "duplicate", 8, 0, false, "applied")));
        TensorLayout layout = TensorLayout.canonical(List.of(TensorSpec.f32("w", 2)));

        PushResult result =
                client(60).push(new GradientMetadata("w", 4, "g", 7, 1, 0), layout, new float[] {1, 2}, false);

        assertThat(result).isEqualTo(new PushResult.Duplicate("applied", 8, false, false, Optional.empty()));
        assertThat(server.received()).hasSize(3);
        for (ScriptedServer.Received request : server.received()) {
            assertThat(GradientMetadata.parse(Safetensors.decode(request.body()).metadata())
                            .sequence())
                    .isEqualTo(4);
            assertThat(request.body()).isEqualTo(server.received().get(0).body());
        }
    }

    @Test
    void shouldSendABodyOnceATry() {
        server.then(Reply.lost()).then(Reply.lost());
        TensorLayout layout = TensorLayout.canonical(List.of(TensorSpec.f32("w", 2)));

        assertThatThrownBy(() ->
                        client(0).push(new GradientMetadata("w", 4, "g", 7, 1, 0), layout, new float[] {1, 2}, false))
                .isInstanceOf(ServerUnavailableException.class);

        assertThat(server.received()).hasSize(1);
    }

    @Test
    void shouldGiveUpWhenTheTimeIsOverAndSayTheNumbers() {
        for (int i = 0; i < 10; i++) {
            server.then(Reply.problem(503, "busy"));
        }

        assertThatThrownBy(client(1)::version)
                .isInstanceOf(ServerUnavailableException.class)
                .hasMessage("GET %s/getVersion failed at try 5, after 750 ms: it answers 503", server.uri());
        assertThat(pauses).containsExactly(50L, 100L, 200L, 400L);
    }

    @Test
    void shouldNameTheCauseWhenTheServerIsNotThere() {
        URI uri = server.uri();
        server.close();

        assertThatThrownBy(client(0)::version)
                .isInstanceOf(ServerUnavailableException.class)
                .hasMessage(
                        "GET %s/getVersion failed at try 1, after 0 ms: Connect to %s failed: Connection refused",
                        uri, uri)
                .hasCauseInstanceOf(IOException.class);
    }

    @Test
    void shouldNotAskAgainForAnswerThatIsTooLarge() {
        server.then(Reply.json(200, VERSION));
        ClientOptions tiny =
                new ClientOptions(Duration.ofSeconds(5), Duration.ofSeconds(5), Duration.ofSeconds(60), 10);

        assertThatThrownBy(client(tiny)::version).hasMessageMatching("the answer has \\d+ bytes, accepted are 10");
        assertThat(pauses).isEmpty();
    }

    @Test
    void shouldEndWhenInterrupted() {
        server.then(Reply.busy("1"));
        PsClient client = client(ClientOptions.DEFAULT, pause -> {
            throw new InterruptedException();
        });

        assertThatThrownBy(client::version)
                .isInstanceOf(ServerUnavailableException.class)
                .hasMessage("GET %s/getVersion was interrupted", server.uri());
        assertThat(Thread.interrupted()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {302, 400, 401, 403, 404, 409, 500, 502})
    void shouldNotRepeatWhatIsNotTransient(int status) {
        server.then(Reply.text(status, "text/plain", "no"));

        assertThatThrownBy(client(60)::version)
                .isInstanceOf(ProblemException.class)
                .hasMessage("GET /getVersion: %d no", status);
        assertThat(pauses).isEmpty();
    }

    private PsClient client(long retryForSeconds) {
        return client(ClientOptions.DEFAULT.withRetryFor(Duration.ofSeconds(retryForSeconds)));
    }

    private PsClient client(ClientOptions options) {
        return client(options, pause -> {
            pauses.add(pause.toMillis());
            clock.advance(pause);
            duringPause.run();
        });
    }

    private PsClient client(ClientOptions options, Sleeper sleeper) {
        Transport transport = Transport.overLibrary(options.transport());
        return new PsClient(server.uri(), new Exchange(server.uri(), transport, options.retryFor(), clock, sleeper));
    }
}
