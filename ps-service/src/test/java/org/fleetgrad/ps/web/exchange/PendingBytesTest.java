package org.fleetgrad.ps.web.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.OptionalLong;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.ps.settings.PendingLimit;
import org.junit.jupiter.api.Test;

class PendingBytesTest {

    private final PendingBytes pending = new PendingBytes(new PendingLimit(OptionalLong.of(100)));

    @Test
    void shouldRefuseWhatIsMoreThanTheRest() {
        try (PendingBytes.Reservation first = pending.reserve(60, 100)) {
            assertThat(first).isNotNull();
            assertThat(pending.held()).isEqualTo(60);
            try (PendingBytes.Reservation second = pending.reserve(40, 100)) {
                assertThat(second).isNotNull();
                assertThatThrownBy(() -> pending.reserve(2, 100))
                        .hasMessage(
                                "gradients in the server take 100 bytes, and this one would take 2 more; allowed are 100");
                assertThat(pending.held()).as("a refusal holds nothing").isEqualTo(100);
            }
            assertThatThrownBy(() -> pending.reserve(41, 100)).isInstanceOf(RequestRefused.class);
        }
        assertThat(pending.held()).isZero();
    }

    @Test
    void shouldAlwaysLetOneIn() {
        try (PendingBytes.Reservation large = pending.reserve(1_000_000, 100)) {
            assertThat(large).isNotNull();
            assertThatThrownBy(() -> pending.reserve(1, 100)).isInstanceOf(RequestRefused.class);
        }
        pending.reserve(1_000_000, 100).close();
        assertThat(pending.held()).isZero();
    }
}
