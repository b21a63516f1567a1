package org.fleetgrad.runs.place;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.fleetgrad.protocol.ServerAddresses;
import org.fleetgrad.runs.process.Ports;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AftermathTest {

    private final List<String> told = new CopyOnWriteArrayList<>();
    private final HttpClient http = HttpClient.newHttpClient();

    /** Sends the request of a worker that starts late; -1 if nothing responds. */
    private int ask(URI server) throws InterruptedException {
        try {
            return http.send(
                            HttpRequest.newBuilder(server.resolve("/registerWorker"))
                                    .POST(HttpRequest.BodyPublishers.ofString("{}"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .statusCode();
        } catch (IOException away) {
            return -1;
        }
    }

    @Test
    void shouldAnswerThatTheRunIsOverUntilTheActivationsHaveEnded() throws Exception {
        URI server = URI.create("http://127.0.0.1:" + Ports.free());
        List<Integer> answers = new CopyOnWriteArrayList<>();
        Aftermath aftermath = new Aftermath(
                () -> List.of("a"),
                activation -> {
                    answers.add(ask(server));
                    return answers.size() == 2;
                },
                Duration.ofSeconds(60),
                told::add);
        aftermath.standInFor(new ServerAddresses(List.of(server)));

        aftermath.run();

        assertThat(answers).containsExactly(410, 410);
        assertThat(told).containsExactly("waiting for 1 activations in flight to learn that the run is over");
        assertThat(ask(server)).as("nobody listens any more").isEqualTo(-1);
    }

    @Test
    void shouldAlsoWaitForAnActivationThatReplacedAnEndedOne() {
        List<String> invoked = new CopyOnWriteArrayList<>(List.of("a"));
        List<String> asked = new CopyOnWriteArrayList<>();
        Aftermath aftermath = new Aftermath(
                () -> invoked,
                activation -> {
                    asked.add(activation);
                    if (activation.equals("a")) {
                        invoked.add("b");
                    }
                    return true;
                },
                Duration.ofSeconds(60),
                told::add);

        aftermath.run();

        assertThat(asked).containsExactly("a", "b");
    }

    @Test
    void shouldDoNothingWhereAllHaveEnded() {
        AtomicInteger asked = new AtomicInteger();
        Aftermath aftermath =
                new Aftermath(List::of, activation -> asked.incrementAndGet() > 0, Duration.ofSeconds(60), told::add);

        aftermath.run();

        assertThat(asked).hasValue(0);
        assertThat(told).isEmpty();
    }
}
