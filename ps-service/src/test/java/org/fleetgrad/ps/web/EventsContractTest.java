package org.fleetgrad.ps.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.ps.ManualClockBean;
import org.fleetgrad.ps.RunningService;
import org.fleetgrad.ps.events.RunEvents;
import org.fleetgrad.testing.ManualClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Timeout(60)
class EventsContractTest {

    private static final float[] ZEROS = new float[6];
    private static final JsonMapper JSON = new JsonMapper();

    // A shutdown waits up to an hour for open requests: it must not have to wait for any.
    private final RunningService service = RunningService.startWith(
            ManualClockBean.class, "ps.lease=1s", "spring.lifecycle.timeout-per-shutdown-phase=1h");

    @AfterEach
    void stop() {
        service.close();
    }

    /** A reader of events. */
    private static final class Stream implements AutoCloseable {
        private final BufferedReader lines;

        Stream(RunningService service, HttpRequest.Builder request) {
            HttpResponse<InputStream> response = service.stream(request);
            assertThat(response.statusCode()).isEqualTo(200);
            this.lines = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
        }

        /** Reads up to the next event of the type; returns its data and its id. */
        Event await(String type) throws IOException {
            Map<String, String> fields = new HashMap<>();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.isEmpty() && type.equals(fields.get("event"))) {
                    return new Event(
                            Long.parseLong(fields.getOrDefault("id", "")),
                            JSON.readTree(fields.getOrDefault("data", "")));
                }
                if (line.isEmpty()) {
                    fields.clear();
                } else {
                    String[] field = line.split(":", 2);
                    fields.put(field[0], field[1].strip());
                }
            }
            throw new AssertionError("the stream ended before '%s'".formatted(type));
        }

        @Override
        public void close() throws IOException {
            lines.close();
        }
    }

    private record Event(long id, JsonNode data) {}

    @Test
    void shouldTellWhatHappens() throws IOException {
        try (Stream stream = watch("0")) {
            service.withWorkers("a");
            assertThat(stream.await("registered").data().get("worker").asString())
                    .isEqualTo("a");
            service.startingAt(ZEROS);
            JsonNode parameters = stream.await("parameters").data();
            assertThat(parameters.get("version").asLong()).isZero();
            assertThat(parameters.get("tensors").asLong()).isEqualTo(2);
            assertThat(parameters.get("values").asLong()).isEqualTo(6);
            assertThat(parameters.get("generation").asString()).isEqualTo(service.generation());
            service.send(service.push("a", 1, 0, ZEROS));
            JsonNode progress = stream.await("progress").data();
            while (progress.get("version").asLong() == 0) {
                progress = stream.await("progress").data();
            }
            assertThat(progress.get("samples").asLong()).isEqualTo(4);
            assertThat(progress.get("loss").asDouble()).isEqualTo(0.25);
            service.send(service.json(
                    Routes.PUT_ACCURACY,
                    "{\"generation\":\"%s\",\"version\":1,\"accuracy\":0.5,\"samples\":10}"
                            .formatted(service.generation())));
            assertThat(stream.await("accuracy").data().get("accuracy").asDouble())
                    .isEqualTo(0.5);
            service.withWorkers("b");
            service.send(service.json(Routes.UNREGISTER_WORKER, "{\"id\":\"b\"}"));
            assertThat(stream.await("unregistered").data().get("worker").asString())
                    .isEqualTo("b");
            service.bean(ManualClock.class).advance(Duration.ofSeconds(1));
            assertThat(stream.await("expired").data().get("worker").asString()).isEqualTo("a");
        }
    }

    @Test
    void shouldGoOnAfterTheLastEventThatAReaderHas() throws IOException {
        service.withWorkers("a", "b", "c");
        long second;
        try (Stream stream = watch("0")) {
            stream.await("registered");
            second = stream.await("registered").id();
        }

        try (Stream stream = watch(Long.toString(second))) {
            Event third = stream.await("registered");
            assertThat(third.id()).isEqualTo(second + 1);
            assertThat(third.data().get("worker").asString()).isEqualTo("c");
        }
        try (Stream stream = watch("not a number")) {
            assertThat(stream.await("registered").data().get("worker").asString())
                    .isEqualTo("a");
        }
    }

    @Test
    void shouldEndTheStreamWhenTheServiceStops() throws IOException {
        try (Stream stream = watch("0")) {
            service.withWorkers("a");
            stream.await("registered");

            service.close();

            assertThat(stream.lines.lines()).noneMatch(line -> line.startsWith("event:"));
        }
    }

    @Test
    void shouldRefuseMoreWatchersThanItServes() throws IOException {
        for (int watcher = 0; watcher < 64; watcher++) {
            assertThat(service.bean(RunEvents.class).watch(0)).isPresent();
        }

        JsonNode problem = service.refused(service.get(Routes.EVENTS), 503, ProblemKind.BUSY.rule());

        assertThat(problem.get("detail").asString())
                .isEqualTo("too many clients watch already, or the server is stopping");
    }

    private Stream watch(String lastEventId) {
        return new Stream(service, service.get(Routes.EVENTS).header("Last-Event-ID", lastEventId));
    }
}
