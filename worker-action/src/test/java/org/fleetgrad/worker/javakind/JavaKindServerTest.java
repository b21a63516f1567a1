package org.fleetgrad.worker.javakind;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import org.fleetgrad.testing.ActionWire;
import org.fleetgrad.testing.ActionWire.Reply;
import org.fleetgrad.worker.action.HalfRequests;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What strangers may do to the Java kind; {@code JavaRuntimeIT} has what OpenWhisk does. */
class JavaKindServerTest {

    private static final int JAR_BYTES = 1013;

    private final PrintStream log = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
    private JavaKindServer server;
    private ActionWire wire;

    @BeforeEach
    void start() throws IOException {
        server = new JavaKindServer(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), log, log);
        server.start();
        wire = ActionWire.local(server.port());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST /ru",
                "POST /run HTTP/1.1\r\nHost: a\r\nContent-Length: 900000000\r\n\r\n{",
                "POST /init HTTP/1.1\r\nHost: a\r\nContent-Length: 9223372036854775807\r\n\r\n{\"value\":{\"code\":\"AAAA"
            })
    void shouldAnswerWhileClientsStopInTheMiddleOfARequest(String half) throws IOException {
        HalfRequests.hold(
                server.port(),
                half,
                () -> assertThat(wire.post("/run", "{}").error()).isEqualTo("Cannot invoke an uninitialized action."));
    }

    @Test
    void shouldRefuseARunLargerThanOpenWhisksWithTheNumber() throws IOException {
        assertThat(wire.post("/run", " ".repeat(2 * 1024 * 1024 + 1)).error()).contains("more than 2097152 bytes");
    }

    /** Each would leave a file of up to 48 MB. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"value\":{\"main\":\"no.Such\",\"code\":\"%s\"}}",
                "{\"value\":{\"code\":\"%s\"}}",
                "{\"value\":{\"code\":\"%1$s\",\"code\":\"%1$s\"}}",
                "{\"value\":{\"code\":\"%s\",\"main\":"
            })
    void shouldLeaveNoFileOfAnInitThatFails(String init) throws IOException {
        byte[] jar = new byte[JAR_BYTES];
        new Random().nextBytes(jar);

        Reply reply = wire.post("/init", init.formatted(Base64.getEncoder().encodeToString(jar)));

        assertThat(reply.status()).isEqualTo(502);
        assertThat(jars()).doesNotContain(jar);
    }

    /** Returns the files that may be of this test; others share the folder. */
    private static List<byte[]> jars() throws IOException {
        List<byte[]> jars = new ArrayList<>();
        try (DirectoryStream<Path> files =
                Files.newDirectoryStream(Path.of(System.getProperty("java.io.tmpdir")), "action*.jar")) {
            for (Path file : files) {
                try {
                    if (Files.size(file) == JAR_BYTES) {
                        jars.add(Files.readAllBytes(file));
                    }
                } catch (NoSuchFileException gone) {
                    // Another test has removed it.
                }
            }
        }
        return jars;
    }
}
