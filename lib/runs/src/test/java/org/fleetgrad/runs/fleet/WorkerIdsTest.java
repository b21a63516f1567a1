package org.fleetgrad.runs.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WorkerIdsTest {

    @Test
    void shouldKnowTheIdsThatDriversGiveAndNoOthers() {
        WorkerIds ids = new WorkerIds();

        assertThat(ids.get()).isNotEqualTo(ids.get()).matches(WorkerIds::isOne);
        assertThat(new WorkerIds().get()).matches(WorkerIds::isOne);
        assertThat("python-1").matches(id -> !WorkerIds.isOne(id));
        assertThat("f9f9ecb3-1-x").matches(id -> !WorkerIds.isOne(id));
    }
}
