package org.fleetgrad.ps.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.ps.RunningService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class EarlierRunsContractTest {

    private static final String RUNS = """
            {"code":200,"runs":[{"name":"first try","points":[
              {"seconds":1.5,"version":20,"accuracy":0.5,"loss":1.5},{"seconds":3,"version":40,"loss":1.25}]}]}
            """;

    @TempDir
    private Path folder;

    private JsonNode runs(String file) throws Exception {
        Path path = Files.writeString(folder.resolve("earlier-runs.json"), file);
        try (RunningService service = RunningService.start("ps.earlier-runs=" + path)) {
            return RunningService.body(service.send(service.get(Routes.EARLIER_RUNS)))
                    .get("runs");
        }
    }

    @Test
    void shouldReturnTheCurvesOfTheFile() throws Exception {
        JsonNode runs = runs(RUNS);

        assertThat(runs.size()).isEqualTo(1);
        assertThat(runs.get(0).get("name").asString()).isEqualTo("first try");
        assertThat(runs.get(0).get("points").get(0).get("accuracy").asDouble()).isEqualTo(0.5);
        assertThat(runs.get(0).get("points").get(1).has("accuracy")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{\"code\":200}",
                "{\"code\":200,\"runs\":[null]}",
                "{\"code\":200,\"runs\":[{\"name\":\" \",\"points\":[]}]}",
                "{\"code\":200,\"runs\":[{\"name\":\"a\"}]}"
            })
    void shouldStartWithoutThemIfTheFileIsOther(String file) throws Exception {
        assertThat(runs(file).size()).isZero();
    }

    @Test
    void shouldReturnNoneWithoutAFile() {
        try (RunningService service = RunningService.start()) {
            assertThat(RunningService.body(service.send(service.get(Routes.EARLIER_RUNS)))
                            .get("runs")
                            .size())
                    .isZero();
        }
    }
}
