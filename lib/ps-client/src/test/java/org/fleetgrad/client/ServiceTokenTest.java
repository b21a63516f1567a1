package org.fleetgrad.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.fleetgrad.protocol.messages.TokenMessages.IssueTokenReply;
import org.fleetgrad.testing.OpenApiContract;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The token of a client that sends its requests by itself. */
class ServiceTokenTest {

    private static final OpenApiContract CONTRACT = OpenApiContract.load();

    private ScriptedServer server;
    private ServiceToken token;

    @BeforeEach
    void start() throws IOException {
        server = new ScriptedServer(0);
        token = new ServiceToken(server.uri(), new Credentials("reader", "the-secret"), ClientOptions.DEFAULT);
    }

    @AfterEach
    void stopAndCheckContract() {
        server.close();
        server.check(CONTRACT);
    }

    @Test
    void shouldGetATokenOnceUntilItIsDoubted() throws IOException {
        server.then(Reply.json(200, new IssueTokenReply(200, "t1", "reader", 900_000)))
                .then(Reply.json(200, new IssueTokenReply(200, "t2", "reader", 900_000)));

        assertThat(token.authorization()).contains("Bearer t1");
        assertThat(token.authorization()).contains("Bearer t1");
        token.invalidate("Bearer t0");
        assertThat(token.authorization()).contains("Bearer t1");
        token.invalidate("Bearer t1");
        assertThat(token.authorization()).contains("Bearer t2");

        assertThat(server.received().get(0).text())
                .isEqualTo("{\"accessKey\":\"reader\",\"secretKey\":\"the-secret\"}");
    }

    @Test
    void shouldSendNoTokenToAServiceWithoutKeys() throws IOException {
        server.then(Reply.problem(409, "security-off"));

        assertThat(token.authorization()).isEmpty();
        assertThat(token.authorization()).isEmpty();
        assertThat(server.received()).hasSize(1);
    }

    @Test
    void shouldNotShowTheKeysThatAreRefused() {
        server.then(Reply.unauthenticated("the keys are those of no role"));

        assertThatThrownBy(token::authorization)
                .isInstanceOf(ProblemException.class)
                .hasMessage("POST /issueToken: 401 the keys are those of no role");
    }
}
