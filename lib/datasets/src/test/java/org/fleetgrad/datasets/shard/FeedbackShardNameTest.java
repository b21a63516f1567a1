package org.fleetgrad.datasets.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FeedbackShardNameTest {

    @ParameterizedTest
    @CsvSource({"0, 1", "12, 1000", "99999999, 7", "999999999, 999999999"})
    void shouldReadTheNameThatItWrites(long number, long samples) {
        FeedbackShardName name = new FeedbackShardName(number, samples);

        assertThat(FeedbackShardName.of(Path.of("feedback", name.fileName()))).contains(name);
    }

    @Test
    void shouldWriteEightDigits() {
        assertThat(new FeedbackShardName(12, 1000).fileName()).isEqualTo("feedback-00000012-of-1000-samples.tar.gz");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "shard-0.tar.gz",
                "feedback-1-of-1-samples.tar",
                "feedback--1-of-1-samples.tar.gz",
                "feedback-9223372036854775807-of-1-samples.tar.gz",
                ".feedback-00000001-of-1-samples.tar.gz"
            })
    void shouldLeaveOtherFilesAlone(String other) {
        assertThat(FeedbackShardName.of(Path.of(other))).isEmpty();
    }
}
