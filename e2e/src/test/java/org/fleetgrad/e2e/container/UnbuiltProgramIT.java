package org.fleetgrad.e2e.container;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.fleetgrad.testing.RepositoryRoot;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An image whose program has not been built. */
@Order(Order.DEFAULT + 1)
@Tag("whole")
class UnbuiltProgramIT {

    @TempDir
    private Path context;

    @BeforeAll
    static void requireDocker() throws IOException {
        Docker.require();
    }

    @ParameterizedTest
    @ValueSource(strings = {"worker", "java-runtime", "ps-service", "inference-api", "dataset-tools"})
    void shouldSayHowTheProgramIsBuilt(String image) throws Exception {
        copyDockerFolder();

        Docker.Output output = Docker.execute(List.of(
                "docker",
                "build",
                "--force-rm",
                "--file",
                context.resolve("docker").resolve(image).resolve("Dockerfile").toString(),
                context.toString()));

        assertThat(output.status()).isNotZero();
        assertThat(output.out() + output.err()).contains("is not built: run docker/build");
    }

    private void copyDockerFolder() throws IOException {
        Path from = RepositoryRoot.path();
        try (Stream<Path> files = Files.walk(from.resolve("docker"))) {
            for (Path file : files.toList()) {
                Files.copy(file, context.resolve(from.relativize(file)));
            }
        }
    }
}
