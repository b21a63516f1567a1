package org.fleetgrad.e2e.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.fleetgrad.testing.ActionWire;
import org.fleetgrad.testing.ActionWire.Reply;

/** A container of the worker's image, run with OpenWhisk's flags and called like OpenWhisk's invoker does. */
public final class WorkerContainer implements AutoCloseable {

    static final String SENTINEL = "XXX_THE_END_OF_A_WHISK_ACTIVATION_XXX";

    private static final int SERVICE_UNAVAILABLE = 503;
    private static final Duration TIMEOUT = Duration.ofMinutes(1);
    private static final List<String> OPENWHISK =
            List.of(("run -d -m 256m --memory-swap 256m --pids-limit 1024 --ulimit nofile=1024:1024"
                            + " --cap-drop NET_RAW --cap-drop NET_ADMIN -e __OW_API_HOST=http://host:3233")
                    .split(" "));

    private final String id;
    private final ActionWire wire;
    private int runs;

    /** Starts a container; {@code flags} follow OpenWhisk's. */
    public WorkerContainer(String image, String... flags) throws IOException {
        List<String> command = new ArrayList<>(OPENWHISK);
        command.addAll(List.of(flags));
        command.add(image);
        id = Docker.run(command.toArray(String[]::new));
        InetSocketAddress address = new InetSocketAddress(inspect("{{.NetworkSettings.IPAddress}}"), 8080);
        wire = new ActionWire(address);
        // The invoker repeats /init every 50 ms until the container answers.
        await().atMost(TIMEOUT)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(50))
                .until(() -> takesConnections(address));
    }

    private static boolean takesConnections(InetSocketAddress address) {
        try (Socket socket = new Socket()) {
            socket.connect(address);
            return true;
        } catch (IOException notYet) {
            return false;
        }
    }

    /** Posts an {@code /init}. */
    public Reply init(String body) throws IOException {
        return post("/init", body);
    }

    /** Posts a {@code /run}. */
    Reply run(String body) throws IOException {
        runs++;
        return post("/run", body);
    }

    /** Posts {@code value} as the value of a {@code /run}, with the other members that OpenWhisk sends. */
    public Reply runValue(String value) throws IOException {
        return run("""
                {"action_name":"/guest/rec","action_version":"0.0.1","activation_id":"77c8","deadline":"%d","namespace":"guest",\
                "transaction_id":"t1","value":%s}""".formatted(System.currentTimeMillis() + 300_000, value));
    }

    /** Checks that every answer is complete, an object, has a length, and is never 503. */
    private Reply post(String path, String body) throws IOException {
        Reply reply = wire.post(path, body);
        assertThat(reply.status()).isNotEqualTo(SERVICE_UNAVAILABLE);
        assertThat(reply.header("Transfer-Encoding")).isEmpty();
        assertThat(reply.header("Content-Length"))
                .containsExactly(Integer.toString(reply.body().getBytes(StandardCharsets.UTF_8).length));
        // The Java kind's answer to an /init that it took, which is Apache's too.
        assertThat(reply.body().equals("OK") || reply.json().isObject()).isTrue();
        return reply;
    }

    /** Returns both streams, each of which must have exactly one end marker for each run so far. */
    Docker.Output logs() throws IOException {
        // Docker writes its log file a little after the worker has flushed.
        Docker.Output logs = await().atMost(TIMEOUT)
                .pollDelay(Duration.ZERO)
                .until(
                        () -> Docker.execute(List.of("docker", "logs", id)),
                        read -> sentinels(read.out()) >= runs && sentinels(read.err()) >= runs);
        assertThat(sentinels(logs.out())).as(logs.out()).isEqualTo(runs);
        assertThat(sentinels(logs.err())).as(logs.err()).isEqualTo(runs);
        return logs;
    }

    private static int sentinels(String stream) {
        return (int) stream.lines().filter(SENTINEL::equals).count();
    }

    public String inspect(String format) throws IOException {
        return Docker.run("inspect", "--format", format, id);
    }

    /** Runs a docker command on this container, such as {@code pause}. */
    String docker(String command, String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(command, id));
        arguments.addAll(List.of(more));
        return Docker.run(arguments.toArray(String[]::new));
    }

    /** Sends SIGTERM and returns at once. */
    void terminate() throws IOException {
        Docker.run("kill", "--signal", "TERM", id);
    }

    /** Waits for the end and returns the exit code. */
    int exitCode() throws IOException {
        return Integer.parseInt(Docker.run("wait", id));
    }

    @Override
    public void close() throws IOException {
        Docker.run("rm", "--force", "--volumes", id);
    }
}
