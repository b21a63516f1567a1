package org.fleetgrad.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Calls a server with keys from a shell without keys. */
class KeysAdviceTest {

    private static final String ADVICE =
            "401 the request has no token; the server asks for keys: set FLEETGRAD_ACCESS_KEY and"
                    + " FLEETGRAD_SECRET_KEY (or FLEETGRAD_SECRET_KEY_FILE)";

    private final StringWriter err = new StringWriter();
    private HttpServer server;

    @BeforeEach
    void startServer() throws Exception {
        byte[] problem = """
                {"type":"urn:fleetgrad:problem:unauthenticated","title":"t","status":401,"code":401,\
                "detail":"the request has no token"}""".getBytes(StandardCharsets.UTF_8);
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(401, problem.length);
            exchange.getResponseBody().write(problem);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stopServer() {
        server.stop(0);
    }

    @Test
    void shouldNameTheTwoVariablesForStatus() {
        assertThat(run("status", "--server", address())).isEqualTo(4);
        assertThat(err.toString().lines()).containsExactly("fleetgrad: GET /status: " + ADVICE);
    }

    @Test
    void shouldNameTheTwoVariablesForRollback() {
        assertThat(run("model", "rollback", "42", "--server", address())).isEqualTo(3);
        assertThat(err.toString().lines()).containsExactly("fleetgrad: POST /rollback: " + ADVICE);
    }

    @Test
    void shouldNameTheTwoVariablesForToken() {
        assertThat(run("token", "--url", address())).isEqualTo(3);
        assertThat(err.toString().lines())
                .containsExactly("fleetgrad: there are no keys: set FLEETGRAD_ACCESS_KEY and FLEETGRAD_SECRET_KEY (or"
                        + " FLEETGRAD_SECRET_KEY_FILE)");
    }

    private String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private int run(String... arguments) {
        CommandLine commandLine = Fleetgrad.commandLine();
        commandLine.setErr(new PrintWriter(err, true));
        return commandLine.execute(arguments);
    }
}
