package org.fleetgrad.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import org.fleetgrad.protocol.messages.ParameterMessages.RollbackReply;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RollbackTest {

    private ScriptedServer server;
    private PsClient client;

    @BeforeEach
    void start() throws IOException {
        server = new ScriptedServer(0);
        client = new PsClient(server.uri(), ClientOptions.DEFAULT.withRetryFor(Duration.ZERO));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void shouldAskForACheckpointByItsNumber() throws IOException {
        RollbackReply reply = new RollbackReply(200, "g2", 1200, 42);
        server.then(Reply.json(200, reply));

        assertThat(client.rollback(42)).isEqualTo(reply);

        assertThat(server.last().uri()).isEqualTo(URI.create("/rollback"));
        assertThat(server.last().text()).isEqualTo("{\"checkpoint\":42}");
    }

    @Test
    void shouldFailWithTheProblemWhenThereIsNoSuchCheckpoint() {
        server.then(Reply.problem(404, "no-checkpoint"));

        assertThatThrownBy(() -> client.rollback(42))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        failure -> assertThat(failure.problem().rule()).isEqualTo("no-checkpoint"))
                .hasMessage("POST /rollback: 404 the numbers");
    }
}
