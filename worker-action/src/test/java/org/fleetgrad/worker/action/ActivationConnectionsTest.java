package org.fleetgrad.worker.action;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.fake.FakeParameterServer;
import org.fleetgrad.datasets.shard.ShardArchive;
import org.fleetgrad.worker.TestShards;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The sockets of an activation: a warm container runs thousands of activations in one process. */
class ActivationConnectionsTest {

    private static final String ESTABLISHED = "01";
    private static final String CLOSE_WAIT = "08";

    @TempDir
    private Path folder;

    @Test
    void shouldLeaveNoConnectionOpenWhenAnActivationEnds() throws IOException {
        assumeThat(Path.of("/proc/self/net/tcp")).exists();
        Activations activations =
                new Activations(() -> false, Map::of, Clock.systemUTC(), () -> ClientOptions.DEFAULT, Optional.empty());
        try (FakeParameterServer server = new FakeParameterServer(0.05f)) {
            ActionResult result = activations.run(body(server));

            assertThat(result).isInstanceOf(ActionResult.Success.class);
            assertThat(server.pushes()).isNotEmpty();
            assertThat(openConnectionsTo(server.uri().getPort())).isEmpty();
        } finally {
            activations.close();
        }
    }

    private ObjectNode body(FakeParameterServer server) throws IOException {
        Path file = folder.resolve("shard.tar.gz");
        ShardArchive.write(TestShards.digits(8, 1), file);
        ObjectNode body = JsonMapper.shared().createObjectNode();
        body.putObject("value")
                .put("apihost", server.uri().toString())
                .put("dataset_url", file.toString())
                .put("batch_sz_train", 8)
                .put("epoch_n", 1)
                .put("update_intv", 1);
        return body;
    }

    /** Returns the sockets of this machine that are connected to a port, and that nobody here has closed. */
    private static List<String> openConnectionsTo(int port) throws IOException {
        List<String> open = new ArrayList<>();
        for (Path table : List.of(Path.of("/proc/self/net/tcp"), Path.of("/proc/self/net/tcp6"))) {
            for (String line : Files.exists(table) ? Files.readAllLines(table) : List.<String>of()) {
                String[] columns = line.strip().split("\\s+");
                if (columns[2].endsWith(":%04X".formatted(port))
                        && List.of(ESTABLISHED, CLOSE_WAIT).contains(columns[3])) {
                    open.add(line);
                }
            }
        }
        return open;
    }
}
