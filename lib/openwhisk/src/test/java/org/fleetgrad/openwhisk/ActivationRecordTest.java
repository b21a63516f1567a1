package org.fleetgrad.openwhisk;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.fleetgrad.openwhisk.ActivationRecord.ActivationStatus;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class ActivationRecordTest {

    private static final String SUCCESS = "{\"result\":{\"a\":1},\"size\":7,\"status\":\"success\",\"success\":true}";

    @Test
    void shouldReadARecord() throws OpenWhiskException {
        ActivationRecord record = Records.read(
                Records.of(SUCCESS, ",{\"key\":\"timeout\",\"value\":false},{\"key\":\"initTime\",\"value\":150}"));

        assertThat(record.activationId()).isEqualTo("77c8ad9e6a4b4c0b88ad9e6a4bbc0b1f");
        assertThat(record.name()).isEqualTo("rec");
        assertThat(record.namespace()).isEqualTo("guest");
        assertThat(record.start()).isEqualTo(Instant.ofEpochMilli(1795215950000L));
        assertThat(record.end()).isEqualTo(Instant.ofEpochMilli(1795215950210L));
        assertThat(record.duration()).isEqualTo(Duration.ofMillis(210));
        assertThat(record.waitTime()).contains(Duration.ofMillis(37));
        assertThat(record.initTime()).contains(Duration.ofMillis(150));
        assertThat(record.timeLimit()).contains(Duration.ofSeconds(2));
        assertThat(record.isCold()).isTrue();
        assertThat(record.isTimeout()).isFalse();
        assertThat(record.status()).isEqualTo(ActivationStatus.SUCCESS);
        assertThat(record.result()).isEqualTo(JsonMapper.shared().readTree("{\"a\":1}"));
        assertThat(record.logs())
                .containsExactly("2026-11-20T21:05:50.1Z stdout: hello", "2026-11-20T21:05:50.2Z stderr: there");
    }

    @Test
    void shouldBeWarmWithoutAnInitialization() throws OpenWhiskException {
        assertThat(Records.read(Records.of(SUCCESS, "")).isCold()).isFalse();
    }

    @Test
    void shouldReadARecordWithoutOptionalMembers() throws OpenWhiskException {
        ActivationRecord record = Records.read("""
                {"activationId":"a","name":"n","namespace":"g","start":5,"response":{"status":"success"}}""");

        assertThat(record.end()).isEqualTo(Instant.ofEpochMilli(5));
        assertThat(record.duration()).isZero();
        assertThat(record.waitTime()).isEqualTo(Optional.empty());
        assertThat(record.timeLimit()).isEmpty();
        assertThat(record.result().isMissingNode()).isTrue();
        assertThat(record.logs()).isEmpty();
    }
}
