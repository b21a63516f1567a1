package org.fleetgrad.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.fleetgrad.runs.process.Ports;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Uses a server with scripted responses. */
class RollbackCommandTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private HttpServer server;
    private int status = 200;
    private String answer = "{\"code\":200,\"generation\":\"g2\",\"version\":1200,\"checkpoint\":42}";

    @BeforeEach
    void startServer() throws Exception {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            requests.add("%s %s %s"
                    .formatted(
                            exchange.getRequestMethod(),
                            exchange.getRequestURI(),
                            new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)));
            byte[] body = answer.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stopServer() {
        server.stop(0);
    }

    @Test
    void shouldAskTheServerToGoBack() {
        assertThat(rollback(address())).isZero();

        assertThat(requests).containsExactly("POST /rollback {\"checkpoint\":42}");
        assertThat(out)
                .hasToString("the server rolled back to checkpoint 42: version 1,200 of generation g2"
                        + System.lineSeparator());
    }

    @ParameterizedTest
    @CsvSource({"404, 3", "409, 3", "500, 4"})
    void shouldSayInOneLineWhyTheServerRefuses(int status, int exitCode) {
        this.status = status;
        answer = """
                {"type":"urn:fleetgrad:problem:no-checkpoint","title":"t","status":%d,"code":%d,\
                "detail":"there is no checkpoint 42; the newest is 41"}""".formatted(status, status);

        assertThat(rollback(address())).isEqualTo(exitCode);

        assertThat(requests).hasSize(1);
        assertThat(err.toString().lines()).hasSize(1);
        assertThat(err.toString()).startsWith("fleetgrad: ").contains("there is no checkpoint 42; the newest is 41");
    }

    @Test
    void shouldAskABusyServerOnce() {
        status = 503;

        assertThat(rollback(address())).isEqualTo(4);
        assertThat(requests).hasSize(1);
        assertThat(err.toString().lines()).hasSize(1);
        assertThat(err.toString()).contains("it answers 503");
    }

    @Test
    void shouldSayThatNobodyAnswers() throws Exception {
        String nobody = "http://127.0.0.1:" + Ports.free();

        assertThat(rollback(nobody)).isEqualTo(4);
        assertThat(err.toString()).startsWith("fleetgrad: POST " + nobody + "/rollback failed at try 1");
        assertThat(err.toString().lines()).hasSize(1);
    }

    @Test
    void shouldRefuseAnAddressThatIsNone() {
        assertThat(rollback("localhost")).isEqualTo(3);
        assertThat(err.toString()).startsWith("fleetgrad: --server must be like http://host:29500; it is 'localhost'");
    }

    private String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private int rollback(String address) {
        CommandLine commandLine = Fleetgrad.commandLine();
        commandLine.setOut(new PrintWriter(out, true));
        commandLine.setErr(new PrintWriter(err, true));
        return commandLine.execute("model", "rollback", "42", "--server", address);
    }
}
