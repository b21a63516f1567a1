package org.fleetgrad.mlflow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArtifactRouteTest {

    private static final MlflowServer SERVER = MlflowServer.parse("http://h:5000", Map.of());

    @Test
    void shouldFindTheRouteOfTheServerItself() {
        String route = "/api/2.0/mlflow-artifacts/artifacts/1/r/artifacts/my%20model.safetensors";
        assertThat(ArtifactRoute.of("mlflow-artifacts:/1/r/artifacts", "my model.safetensors", SERVER))
                .contains(route);
        assertThat(ArtifactRoute.of("mlflow-artifacts://h:5000/1/r/artifacts", "my model.safetensors", SERVER))
                .contains(route);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "s3://bucket/1/r/artifacts",
                "file:///mlruns/1/r/artifacts",
                "/mlruns/1",
                "",
                "mlflow-artifacts://elsewhere:5000/1/r",
                "mlflow-artifacts:opaque",
                "mlflow-artifacts:/1/../../api",
                "mlflow-artifacts:/1/%2e%2e/api",
                "not a uri"
            })
    void shouldSendNoFileElsewhere(String uri) {
        assertThat(ArtifactRoute.of(uri, "report.html", SERVER)).isEmpty();
    }
}
