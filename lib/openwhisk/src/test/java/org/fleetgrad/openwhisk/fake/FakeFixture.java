package org.fleetgrad.openwhisk.fake;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.fleetgrad.openwhisk.fake.Http.Reply;
import org.fleetgrad.openwhisk.fake.ScriptedAction.Answer;
import org.fleetgrad.testing.ManualClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** A fake OpenWhisk with one action, whose runs a test scripts. */
@Timeout(60)
abstract class FakeFixture {

    static final String ACTION = "/namespaces/_/actions/rec";
    static final String BLACKBOX = "{\"exec\":{\"kind\":\"blackbox\",\"image\":\"pfx/rec:1\"}%s}";

    /** Longer than any test. */
    static final int TIME_LIMIT_MILLIS = 120_000;

    final ManualClock clock = new ManualClock();
    final AtomicReference<Function<JsonNode, Answer>> run =
            new AtomicReference<>(body -> Answer.ok("{\"got\":%s}".formatted(body)));
    ScriptedAction action;
    FakeOpenWhisk openwhisk;
    Http http;

    @BeforeEach
    void start() throws Exception {
        action =
                ScriptedAction.running(body -> Objects.requireNonNull(run.get()).apply(body));
        start(FakeSettings.STANDALONE.withClock(clock).withLimits(10, 3), action, TIME_LIMIT_MILLIS);
    }

    final void start(FakeSettings settings, ContainerHost host) throws Exception {
        start(settings, host, TIME_LIMIT_MILLIS);
    }

    final void start(FakeSettings settings, ContainerHost host, int timeLimitMillis) throws Exception {
        openwhisk = new FakeOpenWhisk(settings, host);
        http = new Http(openwhisk.uri(), settings.auth());
        assertThat(http.send(
                                "PUT",
                                ACTION,
                                BLACKBOX.formatted(",\"limits\":{\"timeout\":%d}".formatted(timeLimitMillis)))
                        .status())
                .isEqualTo(200);
    }

    @AfterEach
    void stop() {
        openwhisk.close();
        action.close();
    }

    Reply blocking(String parameters) throws IOException, InterruptedException {
        return http.send("POST", ACTION + "?blocking=true", parameters);
    }

    static JsonNode annotation(JsonNode record, String key) {
        for (JsonNode annotation : record.path("annotations")) {
            if (annotation.path("key").stringValue().equals(key)) {
                return annotation.path("value");
            }
        }
        return record.path("no such annotation");
    }

    static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException killed) {
            Thread.currentThread().interrupt();
        }
    }
}
