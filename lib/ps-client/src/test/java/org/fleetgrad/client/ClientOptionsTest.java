package org.fleetgrad.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ClientOptionsTest {

    @Test
    void shouldChangeTheTimeForRetriesAlone() {
        ClientOptions options = ClientOptions.DEFAULT.withRetryFor(Duration.ofSeconds(3));

        assertThat(options)
                .isEqualTo(new ClientOptions(
                        Duration.ofSeconds(5), Duration.ofSeconds(30), Duration.ofSeconds(3), Integer.MAX_VALUE));
    }

    @Test
    void shouldRefuseNegativeTimesAndEmptyAnswers() {
        Duration second = Duration.ofSeconds(1);

        assertThatThrownBy(() -> new ClientOptions(second.negated(), second, second, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("connectTimeout PT-1S, readTimeout PT1S and retryFor PT1S must not be negative,"
                        + " and maxResponseBytes 1 must be positive");
        assertThatThrownBy(() -> new ClientOptions(second, second.negated(), second, 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new ClientOptions(second, second, second.negated(), 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new ClientOptions(second, second, second, 0))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
