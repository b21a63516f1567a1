package org.fleetgrad.ps.web.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import org.assertj.core.api.AbstractStringAssert;
import org.fleetgrad.access.Role;
import org.fleetgrad.protocol.HeaderNames;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.ps.RunningService;
import org.fleetgrad.ps.Tensors;
import org.fleetgrad.ps.web.SecuredService;
import org.fleetgrad.web.StartRefusedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class UnixSocketTest {

    @TempDir
    private Path folder;

    @Test
    void shouldTakeGradientsAndAnswerAllRoutesAsThePortDoes() throws Exception {
        Path path = folder.resolve("ps.sock");
        try (RunningService service = start(path).startingAt(1, 2, 3, 4, 5, 6).withWorkers("w")) {
            byte[] gradient = Tensors.gradient(Tensors.metadata("w", 1, service.generation(), 0), 1, 1, 1, 1, 1, 1);

            assertThat(exchange(path, "POST " + Routes.PUT_GRADIENT, gradient))
                    .startsWith("HTTP/1.1 200 ")
                    .contains("\"version\":1");
            assertThat(service.version()).isOne();
            assertThat(exchange(path, "GET " + Routes.GET_VERSION)).contains("\"version\":1");
            assertThat(exchange(path, "GET " + Routes.STATUS))
                    .as("a route of a servlet")
                    .startsWith("HTTP/1.1 200 ")
                    .contains("\"version\":1");
            assertThat(exchange(path, "POST " + Routes.PUT_GRADIENT, new byte[] {1, 2}))
                    .startsWith("HTTP/1.1 400 ")
                    .contains("urn:fleetgrad:problem:");
        }
        assertThat(path).as("an orderly end leaves nothing").doesNotExist();
    }

    @Test
    void shouldAskForKeysAsThePortDoesAndLetNoOtherUserConnect() throws Exception {
        Path path = folder.resolve("ps.sock");
        try (SecuredService secured = SecuredService.start("ps.unix-socket=" + path)) {
            assertThat(exchange(path, "GET " + Routes.GET_PARAMETER)).startsWith("HTTP/1.1 401 ");
            assertThat(exchange(path, "GET " + Routes.STATUS)).startsWith("HTTP/1.1 401 ");
            for (int i = 0; i < 50; i++) {
                assertThat(exchange(path, "POST " + Routes.ISSUE_TOKEN, wrongKeys()))
                        .as("guesses on this machine shut nobody out")
                        .startsWith("HTTP/1.1 401 ");
            }
            assertThat(secured.token(Role.WORKER, "w")).isNotEmpty();
            assertThat(Files.getPosixFilePermissions(path)).isEqualTo(PosixFilePermissions.fromString("rw-------"));
        }
    }

    @Test
    void shouldTakeAwayWhatAKilledServerLeft() throws Exception {
        Path path = folder.resolve("ps.sock");
        listen(path).close();
        assertThat(path).as("the file stays when its program ends").exists();

        try (RunningService service = start(path)) {
            assertThat(exchange(path, "GET " + Routes.STATUS)).startsWith("HTTP/1.1 200 ");
            assertThat(service.context().getEnvironment().getProperty("local.server.port"))
                    .as("the port is that of TCP")
                    .isNotEqualTo("0");
        }
    }

    @Test
    void shouldNotTakeTheSocketOfAProgramThatListens() throws Exception {
        Path path = folder.resolve("ps.sock");
        try (ServerSocketChannel other = listen(path)) {
            refused(path.toString()).contains("no socket at " + path + ": another program listens there");
            assertThat(other.isOpen()).isTrue();
        }
        assertThat(path).exists();
    }

    @Test
    void shouldNotDeleteWhatIsNoSocket() throws Exception {
        Path file = Files.writeString(folder.resolve("model.safetensors"), "precious");
        Path link = Files.createSymbolicLink(folder.resolve("link"), file);

        refused(file.toString()).contains("a file or a folder is there, and it is no socket");
        refused(link.toString()).contains("a file or a folder is there, and it is no socket");
        refused(folder.toString()).contains("a file or a folder is there, and it is no socket");

        assertThat(file).hasContent("precious");
        assertThat(link).isSymbolicLink();
    }

    @Test
    void shouldRefuseWhatCanBeNoSocketsPath() {
        refused("ps.sock").contains("ps.unix-socket is 'ps.sock'; write an absolute path");
        refused("/" + "x".repeat(200)).contains("(it has 201)");
        refused(folder.resolve("none/ps.sock").toString()).contains("no socket at " + folder);
    }

    private static RunningService start(Path path) {
        return RunningService.start("ps.unix-socket=" + path);
    }

    /** Starts a service that must refuse to start, and asserts that it logs why without a stack trace. */
    private static AbstractStringAssert<?> refused(String setting) {
        Throwable why = catchThrowable(
                () -> RunningService.start("ps.unix-socket=" + setting).close());
        while (why != null && !(why instanceof StartRefusedException)) {
            why = why.getCause();
        }
        assertThat(why).as("the failure analyzer finds the reason").isNotNull();
        return assertThat(String.valueOf(Objects.requireNonNull(why).getMessage()));
    }

    private static byte[] wrongKeys() {
        return "{\"accessKey\":\"worker\",\"secretKey\":\"a-wrong-one\"}".getBytes(StandardCharsets.UTF_8);
    }

    private static ServerSocketChannel listen(Path path) throws IOException {
        return ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(path));
    }

    private static String exchange(Path path, String line) throws IOException {
        return exchange(path, line, new byte[0]);
    }

    /** Sends one request, and returns everything until the server closes the connection. */
    private static String exchange(Path path, String line, byte[] body) throws IOException {
        String type = line.contains(Routes.PUT_GRADIENT) ? HeaderNames.SAFETENSORS : "application/json";
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        String head = "%s HTTP/1.1|Host: localhost|Connection: close|Content-Type: %s|Content-Length: %d||"
                .formatted(line, type, body.length);
        request.writeBytes(head.replace("|", "\r\n").getBytes(StandardCharsets.US_ASCII));
        request.writeBytes(body);
        try (SocketChannel connection = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
            connection.write(ByteBuffer.wrap(request.toByteArray()));
            return new String(Channels.newInputStream(connection).readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }
}
