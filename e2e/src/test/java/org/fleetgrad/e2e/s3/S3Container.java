package org.fleetgrad.e2e.s3;

import java.io.IOException;
import java.net.URI;
import java.util.Map;
import org.fleetgrad.e2e.container.Docker;
import org.fleetgrad.store.ObjectStore;
import org.fleetgrad.store.S3Credentials;
import org.fleetgrad.store.S3Store;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

/**
 * An S3 service in a container, at an address that other containers can reach too. Testcontainers removes it when the
 * JVM ends; the next JVM removes the containers of a killed one.
 */
public final class S3Container extends GenericContainer<S3Container> {

    static final S3Credentials CREDENTIALS = new S3Credentials("fleetgrad-tests", "secret-of-the-tests");

    private static final int PORT = 9000;
    private static final String OWNER = "org.fleetgrad.tests.owner";

    /** Makes a container; {@code start} starts it. */
    public S3Container() throws IOException {
        super(DockerImageName.parse(S3Image.choose()));
        removeOrphans();
        withLabel(OWNER, Long.toString(ProcessHandle.current().pid()));
        withCommand("server", "/data");
        withEnv("MINIO_ROOT_USER", CREDENTIALS.accessKey());
        withEnv("MINIO_ROOT_PASSWORD", CREDENTIALS.secretKey());
        withExposedPorts(PORT);
        waitingFor(Wait.forHttp("/minio/health/cluster").forPort(PORT));
    }

    private static void removeOrphans() throws IOException {
        String owned = Docker.run(
                "ps", "--all", "--filter", "label=" + OWNER, "--format", "{{.ID}} {{.Label \"%s\"}}".formatted(OWNER));
        for (String line : owned.lines().toList()) {
            String[] idAndOwner = line.split(" ");
            if (ProcessHandle.of(Long.parseLong(idAndOwner[1])).isEmpty()) {
                Docker.run("rm", "--force", "--volumes", idAndOwner[0]);
            }
        }
    }

    /**
     * Returns its address on the network of containers, which this machine can reach too: a presigned address is valid
     * for one host only.
     */
    URI endpoint() throws IOException {
        return URI.create("http://%s:%d"
                .formatted(
                        Docker.run("inspect", "--format", "{{.NetworkSettings.IPAddress}}", getContainerId()), PORT));
    }

    /** Returns the variables that tell a program of the service. */
    public Map<String, String> environment() throws IOException {
        return Map.of(
                "S3_ENDPOINT", endpoint().toString(),
                "S3_ACCESS_KEY", CREDENTIALS.accessKey(),
                "S3_SECRET_KEY", CREDENTIALS.secretKey());
    }

    /** Opens a bucket through a port of this machine, whose connections close when the container ends. */
    public ObjectStore bucket(String name) {
        URI local = URI.create("http://%s:%d".formatted(getHost(), getMappedPort(PORT)));
        return new S3Store(local, S3Store.DEFAULT_REGION, name, CREDENTIALS);
    }

    /** Runs a docker command on the container, such as {@code pause}. */
    void docker(String command) throws IOException {
        Docker.run(command, getContainerId());
    }
}
