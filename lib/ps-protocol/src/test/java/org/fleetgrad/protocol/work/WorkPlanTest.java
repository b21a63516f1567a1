package org.fleetgrad.protocol.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.fleetgrad.protocol.work.WorkPlan.PlannedShard;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class WorkPlanTest {

    private static final WorkPlan PLAN = new WorkPlan("d", 2, List.of(new PlannedShard("a", "http://h/a", 3)));

    private final JsonMapper json = JsonMapper.builder().build();

    @Test
    void shouldReadWhatServersWroteBeforeWorkCouldPause() {
        String old =
                "{\"dataset\":\"d\",\"epochs\":2,\"shards\":[{\"name\":\"a\",\"url\":\"http://h/a\",\"samples\":3}]}";

        assertThat(json.readValue(old, WorkPlan.class)).isEqualTo(PLAN);
    }

    @Test
    void shouldReadAPausedPlanAgain() {
        assertThat(json.readValue(json.writeValueAsString(PLAN.asPaused()), WorkPlan.class))
                .isEqualTo(PLAN.asPaused())
                .isNotEqualTo(PLAN);
    }
}
