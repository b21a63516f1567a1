package org.fleetgrad.ps.web.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.FloatBuffer;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.ps.web.exchange.ReceivedParameters.GrowingValues;
import org.junit.jupiter.api.Test;

class GrowingValuesTest {

    private static final int CHUNK = 50_000;

    private final ReceivedBytes arrived = new ReceivedBytes(4_000_000);

    @Test
    void shouldHaveTheValuesInTheOrderInWhichTheyCame() {
        int wanted = 5 * CHUNK + 3;
        float[] sent = new float[wanted];
        for (int i = 0; i < wanted; i++) {
            sent[i] = i;
        }
        try (ReceivedBytes.Reservation share = arrived.newReservation()) {
            GrowingValues values = new GrowingValues(wanted, share);
            for (int at = 0; at < wanted; at += CHUNK) {
                int count = Math.min(CHUNK, wanted - at);
                values.append(FloatBuffer.wrap(sent, at, count).slice(), at, count);
            }

            assertThat(values.values()).isEqualTo(sent);
        }
        assertThat(arrived.held()).isZero();
    }

    @Test
    void shouldTakeMemoryForWhatCameAndNotForWhatWasAnnounced() {
        try (ReceivedBytes.Reservation share = arrived.newReservation()) {
            GrowingValues values = new GrowingValues(Integer.MAX_VALUE - 8, share);

            values.append(FloatBuffer.wrap(new float[CHUNK]), 0, CHUNK);
            values.append(FloatBuffer.wrap(new float[CHUNK]), CHUNK, CHUNK);

            assertThat(values.values()).hasSizeLessThan(4 * CHUNK);
            assertThat(arrived.held()).isLessThan(4L * CHUNK * Float.BYTES);
        }
    }

    @Test
    void shouldCountTheMemoryThatItBeginsWith() {
        try (ReceivedBytes.Reservation share = arrived.newReservation()) {
            GrowingValues values = new GrowingValues(1_000_000, share);
            BodySink.Bytes bytes = new BodySink.Bytes(1_000_000, share);

            assertThat(arrived.held())
                    .isEqualTo(values.values().length * (long) Float.BYTES
                            + bytes.bytes().capacity())
                    .isLessThan(10_000);
        }
    }

    @Test
    void shouldRefuseWhenAllTogetherHaveSentTooMuch() {
        try (ReceivedBytes.Reservation first = arrived.newReservation();
                ReceivedBytes.Reservation second = arrived.newReservation()) {
            first.grow(3_000_000);
            assertThatThrownBy(() -> second.grow(1_000_001))
                    .isInstanceOf(RequestRefused.class)
                    .hasMessage(
                            "bodies that arrive take 3000000 bytes, and this one would take 1000001 more; allowed are 4000000");
            assertThat(arrived.held()).as("a refusal holds nothing").isEqualTo(3_000_000);
            second.grow(1_000_000);
        }
        assertThat(arrived.held()).isZero();
    }
}
