package org.fleetgrad.e2e.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The worker's image as a standalone worker: it is the first process of its container, receives signals and ends with
 * an exit code.
 */
@Order(Order.DEFAULT + 2)
@Tag("whole")
class StandaloneContainerIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final int ENDED_BY_SIGTERM = 143;
    private static final int USAGE = 2;
    private static final String NOBODY = "{\"apihost\":\"http://127.0.0.1:1\"}";

    private static String image = "";

    private final List<String> containers = new ArrayList<>();

    @BeforeAll
    static void build() throws Exception {
        Docker.require();
        image = Docker.workerImage();
    }

    @AfterEach
    void remove() throws IOException {
        for (String id : containers) {
            Docker.run("rm", "--force", id);
        }
    }

    private String start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(
                List.of("run", "-d", "-m", "256m", "--memory-swap", "256m", "--read-only", "--cap-drop", "ALL", image));
        command.addAll(List.of(arguments));
        String id = Docker.run(command.toArray(String[]::new));
        containers.add(id);
        return id;
    }

    private static Docker.Output logs(String id) throws IOException {
        return Docker.execute(List.of("docker", "logs", id));
    }

    @Test
    void shouldWaitForItsServerAndEndWhenItIsToldTo() throws IOException {
        String id = start("run", NOBODY);
        await().atMost(TIMEOUT).until(() -> logs(id).err().contains("tries again"));

        Docker.run("stop", "--time", "20", id);

        assertThat(Docker.run("wait", id)).isEqualTo(Integer.toString(ENDED_BY_SIGTERM));
        assertThat(logs(id).out()).isEmpty();
        assertThat(logs(id).err().lines())
                .as("nothing of the JVM's or of a library's")
                .hasSize(2)
                .first()
                .isEqualTo("trains for http://127.0.0.1:1");
    }

    @Test
    void shouldSayHowItIsUsed() throws IOException {
        String help = start("--help");
        assertThat(Docker.run("wait", help)).isEqualTo("0");
        assertThat(logs(help).out()).startsWith("Usage: worker-action ");

        String wrong = start("train", NOBODY);
        assertThat(Docker.run("wait", wrong)).isEqualTo(Integer.toString(USAGE));
        assertThat(logs(wrong).err()).startsWith("the arguments are none, or: run [--serve PORT] JSON; there are 2\n");
    }
}
