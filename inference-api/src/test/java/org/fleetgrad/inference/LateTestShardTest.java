package org.fleetgrad.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.fleetgrad.client.fake.FakeParameterServer;
import org.fleetgrad.datasets.shard.ShardSet;
import org.fleetgrad.datasets.synth.SyntheticDigits;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.testing.OpenApiContract;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The held-out samples appear after the start of the service, which serves predictions throughout. */
class LateTestShardTest {

    private static final OpenApiContract CONTRACT = OpenApiContract.load();
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    @Test
    void shouldServeBeforeTheHeldOutSamplesAreThereAndEvaluateThen() throws Exception {
        Path shards = folder.resolve("shards");
        ParameterVersion version = new ParameterVersion("late", 4);
        try (FakeParameterServer server = new FakeParameterServer(0).heldTo(CONTRACT);
                RunningService service = RunningService.start(
                        "inference.server=" + server.uri(),
                        "inference.test-shard=" + shards,
                        "inference.evaluation-interval=10ms")) {
            server.publish(version, LeNet.set(version, Map.of()));
            await().atMost(PATIENCE)
                    .until(() -> CONTRACT.send(service.get("/actuator/health/readiness"))
                                    .statusCode()
                            == 200);
            assertThat(server.accuracyOf(version)).isEmpty();

            ShardSet.write(shards, "digits", SyntheticDigits.generate(20, 1), SyntheticDigits.generate(30, 2), 1);

            await().atMost(PATIENCE).until(() -> server.accuracyOf(version).isPresent());
            assertThat(server.accuracyOf(version).orElseThrow().samples()).isEqualTo(30);
            assertThat(server.violations()).isEmpty();
        }
    }
}
