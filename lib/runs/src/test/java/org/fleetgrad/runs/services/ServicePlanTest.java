package org.fleetgrad.runs.services;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.fleetgrad.protocol.ServerAddresses;
import org.fleetgrad.runs.place.LocalPlace;
import org.fleetgrad.runs.process.SilentPrograms;
import org.fleetgrad.runs.settings.ExampleSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServicePlanTest {

    private static final ServerAddresses SERVERS = new ServerAddresses(List.of(URI.create("http://127.0.0.1:1")));
    private static final URI PAGE = URI.create("http://127.0.0.1:2/");

    @TempDir
    private Path folder;

    @Test
    void shouldLetAllServicesSignTokensWithTheSameKey() {
        Path key = folder.resolve("token.key");
        ServicePlan plan = plan(Optional.of(key));

        assertThat(plan.ofServer(0, 1, PAGE)).containsEntry("PS_SECURITY_TOKENKEYFILE", key.toString());
        assertThat(plan.ofInference(0, 2, SERVERS)).containsEntry("INFERENCE_SECURITY_TOKENKEYFILE", key.toString());
        assertThat(plan.ofInference(1, 2, SERVERS)).containsEntry("INFERENCE_SECURITY_TOKENKEYFILE", key.toString());
    }

    @Test
    void shouldLetEachServiceDrawItsKeyWhereNobodyAsksForTokens() {
        ServicePlan plan = plan(Optional.empty());

        assertThat(plan.ofServer(0, 1, PAGE)).doesNotContainKey("PS_SECURITY_TOKENKEYFILE");
        assertThat(plan.ofInference(0, 2, SERVERS)).doesNotContainKey("INFERENCE_SECURITY_TOKENKEYFILE");
    }

    @Test
    void shouldTellTheReplicaThatEvaluatesItsShareAndTheTarget() {
        ServicePlan plan = plan(Optional.empty());

        assertThat(plan.ofInference(0, 2, SERVERS))
                .containsEntry("INFERENCE_EVALUATIONSHARE", "0.05")
                .containsEntry("INFERENCE_EVALUATIONTARGET", "0.98");
        assertThat(plan.ofInference(1, 2, SERVERS))
                .doesNotContainKeys("INFERENCE_EVALUATIONSHARE", "INFERENCE_EVALUATIONTARGET");
    }

    @Test
    void shouldTellEachServiceWhereThePageOfTheOtherIs() {
        ServicePlan plan = plan(Optional.empty());

        assertThat(plan.ofServer(0, 1, PAGE)).containsEntry("PS_TRYITPAGE", "http://127.0.0.1:2/");
        assertThat(plan.ofInference(0, 2, SERVERS))
                .containsEntry("INFERENCE_DASHBOARDPAGE", "http://127.0.0.1:1/")
                .containsEntry("INFERENCE_FEEDBACK_LEARN_FOLDER", "feedback");
    }

    private ServicePlan plan(Optional<Path> tokenKey) {
        return new ServicePlan(
                ExampleSettings.of(Optional.empty(), 1),
                List.of(Map.of()),
                Path.of("test.tar.gz"),
                OptionalDouble.of(0.98),
                new LocalPlace(SilentPrograms.of(folder, folder.resolve("logs"))),
                Map.of("INFERENCE_FEEDBACK_LEARN_FOLDER", "feedback"),
                tokenKey);
    }
}
