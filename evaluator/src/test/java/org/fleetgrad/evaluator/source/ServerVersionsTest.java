package org.fleetgrad.evaluator.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.client.PullResult;
import org.fleetgrad.client.ServerUnavailableException;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.messages.RunMessages.StatusReply;
import org.fleetgrad.serving.FakeClassifier;
import org.fleetgrad.testing.FreePorts;
import org.fleetgrad.testing.ManualClock;
import org.junit.jupiter.api.Test;

class ServerVersionsTest {

    private final ManualClock clock = new ManualClock();
    private final List<String> told = new ArrayList<>();
    private final List<String> visited = new ArrayList<>();

    /** A run with one state per poll; the last state stays until the server ends. */
    private static final class Passing {

        private final Deque<State> states;
        private final boolean isEnding;

        Passing(boolean isEnding, State... states) {
            this.states = new ArrayDeque<>(List.of(states));
            this.isEnding = isEnding;
        }

        StatusReply status() throws IOException {
            if (states.size() == 1 && isEnding) {
                return new PsClient(
                                URI.create("http://127.0.0.1:" + FreePorts.next()),
                                ClientOptions.DEFAULT.withRetryFor(Duration.ZERO))
                        .status();
            }
            State now = states.size() == 1 ? states.getFirst() : states.removeFirst();
            return now.status();
        }

        PullResult pull() {
            return new PullResult.Pulled(
                    states.getFirst().version(),
                    FakeClassifier.parameters(states.getFirst().version(), Map.of()));
        }
    }

    private record State(String generation, long number, boolean isInitialized, boolean isDone) {

        static State of(long number) {
            return new State("g", number, true, false);
        }

        ParameterVersion version() {
            return new ParameterVersion(generation, number);
        }

        StatusReply status() {
            return new StatusReply(
                    200,
                    generation,
                    number,
                    isInitialized,
                    1,
                    4,
                    "async",
                    false,
                    "",
                    "",
                    "none",
                    0.1,
                    0,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    0,
                    0,
                    0,
                    Map.of(),
                    0,
                    List.of(),
                    new StatusReply.Work("tiny", 1, 1, 1, 1, 1, 0, isDone),
                    null);
        }
    }

    private void follow(long every, Passing server) throws IOException, InterruptedException {
        new ServerVersions(server::status, server::pull, every, clock, clock::advance, told::add).each(version -> {
            visited.add(version.version().toString());
            return true;
        });
    }

    @Test
    void shouldHandOutEachNthVersionAtLeastAndTheLastOneOfTheRun() throws Exception {
        follow(
                10,
                new Passing(
                        false,
                        new State("g", 0, false, false),
                        // Pulled one poll later: at 3.
                        State.of(2),
                        State.of(3),
                        State.of(12),
                        State.of(13),
                        State.of(40),
                        State.of(41),
                        new State("g", 45, true, true)));

        assertThat(visited).containsExactly("g-3", "g-40", "g-45");
        assertThat(told).containsExactly("the work of the run is done");
    }

    @Test
    void shouldWaitWhileMoreWorkMayCome() throws Exception {
        follow(
                100,
                new Passing(
                        false,
                        State.of(1),
                        State.of(1),
                        new State("g", 50, true, true),
                        State.of(60),
                        new State("g", 70, true, true)));

        assertThat(visited).containsExactly("g-1", "g-70");
        assertThat(Duration.between(new ManualClock().instant(), clock.instant()))
                .isGreaterThan(ServerVersions.DONE_TIMEOUT);
    }

    @Test
    void shouldEvaluateAgainWhenTheServerCameBackAtAnEarlierVersionOrInAnotherHistory() throws Exception {
        follow(
                100,
                new Passing(
                        false,
                        State.of(500),
                        State.of(500),
                        State.of(400),
                        State.of(400),
                        new State("h", 400, true, false),
                        new State("h", 400, true, true)));

        assertThat(visited).containsExactly("g-500", "g-400", "h-400");
    }

    @Test
    void shouldEndWithTheServer() throws Exception {
        follow(1, new Passing(true, State.of(1), State.of(2), State.of(3)));

        assertThat(visited).containsExactly("g-2");
        assertThat(told).singleElement().asString().startsWith("the parameter server has ended: ");
    }

    @Test
    void shouldFailWhenThereNeverWasAServer() {
        assertThatThrownBy(() -> follow(1, new Passing(true, State.of(1))))
                .isInstanceOf(ServerUnavailableException.class);
        assertThat(visited).isEmpty();
    }
}
