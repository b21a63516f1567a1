package org.fleetgrad.e2e.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.Credentials;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.client.PullResult.Pulled;
import org.fleetgrad.client.PushResult;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.protocol.messages.ParameterMessages.VersionReply;
import org.fleetgrad.protocol.messages.WorkerMessages.RegisterWorkerRequest;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The parameter server's image: it refuses strangers, its resources are limited, and its state survives a restart. */
@Order(Order.DEFAULT + 4)
@Tag("whole")
class PsServiceContainerIT {

    private static final String MEMORY = "384m";
    private static final String SECRET = "worker-secret";
    private static final int PORT = 29500;
    private static final int ENDED_BY_SIGTERM = 143;
    private static final TensorLayout LAYOUT = TensorLayout.canonical(List.of(TensorSpec.f32("fc.weight", 4, 3)));

    private static String image = "";

    private final String volume = "fleetgrad-test-" + UUID.randomUUID();

    @TempDir
    private Path secrets;

    @BeforeAll
    static void build() throws IOException {
        Docker.require();
        image = Docker.image("ps-service");
    }

    @AfterEach
    void removeVolume() throws IOException {
        Docker.run("volume", "rm", "--force", volume);
    }

    @Test
    void shouldNotStartWithoutKeys() throws Exception {
        try (ServiceContainer server = ServiceContainer.start(image, MEMORY, List.of())) {
            assertThat(server.exitCode()).isEqualTo(1);
            assertThat(server.logs()).contains("there are no keys", "ps.security.keys.worker.access-key");
        }
    }

    @Test
    void shouldServeWithKeysOfMountedFilesAndNeitherRightsNorAWritableRoot() throws Exception {
        try (ServiceContainer server = start("none")) {
            assertThat(server.execute("id", "-u")).isEqualTo("10001");
            assertThatThrownBy(() -> server.execute("touch", "/opt/fleetgrad/x"))
                    .hasMessageContaining("Read-only file system");
            assertThatThrownBy(() -> anybody(server).version()).hasMessageContaining("401");
            assertThat(worker(server).version().version()).isZero();
            assertThat(server.inspect("{{.State.OOMKilled}}")).isEqualTo("false");
            assertThat(server.execute("cat", "/proc/1/comm")).isEqualTo("java");
        }
    }

    @Test
    void shouldGoOnFromItsVolumeWhenItIsKilled() throws Exception {
        VersionReply before;
        try (ServiceContainer server = start("journal")) {
            before = train(server);
            server.docker("kill");
        }
        try (ServiceContainer again = start("journal")) {
            assertThat(worker(again).version()).isEqualTo(before);
        }
    }

    @Test
    void shouldLeaveACheckpointWhenItIsTerminated() throws Exception {
        VersionReply before;
        try (ServiceContainer server = start("checkpoint")) {
            before = train(server);
            server.docker("stop");
            assertThat(server.exitCode()).isEqualTo(ENDED_BY_SIGTERM);
        }
        try (ServiceContainer again = start("checkpoint")) {
            assertThat(worker(again).version()).isEqualTo(before);
        }
    }

    /** Makes three steps with one worker; returns the resulting version. */
    private static VersionReply train(ServiceContainer server) throws IOException {
        PsClient client = worker(server).as("steady");
        Object put = client.putInitial(TensorSet.ofFloats(LAYOUT, new float[12], Map.of()));
        Object lease = client.register(new RegisterWorkerRequest("steady", "steady", null, "cpu"));
        for (int sequence = 1; sequence <= 3; sequence++) {
            Pulled base = (Pulled) client.pull();
            PushResult result = client.push(
                    new GradientMetadata(
                            "steady",
                            sequence,
                            base.version().generation(),
                            base.version().version(),
                            8,
                            1.0),
                    LAYOUT,
                    new float[12],
                    false);
            assertThat(result).isInstanceOf(PushResult.Applied.class);
        }
        VersionReply version = client.version();
        assertThat(version.version()).as("%s, %s", put, lease).isEqualTo(3);
        return version;
    }

    private ServiceContainer start(String durability) throws IOException {
        // As an orchestrator mounts a secret: a file with the name of the setting.
        Files.setPosixFilePermissions(secrets, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.writeString(secrets.resolve("ps.security.keys.worker.secret-key"), SECRET);
        List<String> flags = new ArrayList<>(List.of(
                "-v", secrets + ":/run/secrets:ro",
                "-v", volume + ":/var/lib/fleetgrad/checkpoints",
                "-e", "PS_SECURITY_KEYS_WORKER_ACCESSKEY=worker",
                "-e", "PS_DURABILITY_MODE=" + durability));
        return ServiceContainer.start(image, MEMORY, flags).awaitHealthy();
    }

    private static PsClient anybody(ServiceContainer server) throws IOException {
        return new PsClient(server.address(PORT), ClientOptions.DEFAULT);
    }

    private static PsClient worker(ServiceContainer server) throws IOException {
        return anybody(server).withCredentials(new Credentials("worker", SECRET));
    }
}
