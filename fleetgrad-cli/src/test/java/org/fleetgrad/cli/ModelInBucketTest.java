package org.fleetgrad.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.fleetgrad.checkpoints.CheckpointFile;
import org.fleetgrad.checkpoints.CheckpointLocation;
import org.fleetgrad.checkpoints.CheckpointManifest;
import org.fleetgrad.checkpoints.Checkpoints;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.store.LocalS3;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs the command as a separate process, which it needs for its own environment. */
@Tag("whole")
class ModelInBucketTest {

    private record Outcome(int exitCode, String output) {}

    @Test
    void shouldTakeTheServiceAndTheKeysFromTheEnvironment() throws Exception {
        try (LocalS3 service = new LocalS3()) {
            Map<String, String> environment = Map.of(
                    "S3_ENDPOINT", service.endpoint().toString(),
                    "S3_ACCESS_KEY", LocalS3.CREDENTIALS.accessKey(),
                    "S3_SECRET_KEY", LocalS3.CREDENTIALS.secretKey());
            write("s3://models/mnist", environment);

            Outcome listed = run(environment, "model", "list", "--checkpoints", "s3://models/mnist");
            assertThat(listed.exitCode()).as(listed.output()).isZero();
            assertThat(listed.output().lines()).hasSize(2);

            Outcome missing = run(environment, "model", "list", "--checkpoints", "s3://nowhere/mnist");
            assertThat(missing.exitCode()).isEqualTo(4);
            assertThat(missing.output().lines()).hasSize(1);
            assertThat(missing.output()).contains("(NoSuchBucket); check the bucket and the keys");
        }
        Outcome withoutService = run(Map.of(), "model", "list", "--checkpoints", "s3://models/mnist");
        assertThat(withoutService.exitCode()).isEqualTo(3);
        assertThat(withoutService.output())
                .isEqualToIgnoringNewLines("fleetgrad: s3://models/mnist needs S3_ENDPOINT, the address of the"
                        + " S3 service, such as http://127.0.0.1:9000");
    }

    private static void write(String location, Map<String, String> environment) throws IOException {
        try (Checkpoints checkpoints = Checkpoints.open(CheckpointLocation.parse(location, environment::get))) {
            checkpoints.write(
                    new ParameterVersion("g", 1),
                    Instant.now(),
                    Map.of(),
                    List.of(CheckpointFile.of(CheckpointManifest.PARAMETERS, new byte[8])));
        }
    }

    private static Outcome run(Map<String, String> environment, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Fleetgrad.class.getName()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("S3_"));
        builder.environment().putAll(environment);
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Outcome(process.waitFor(), output);
    }
}
