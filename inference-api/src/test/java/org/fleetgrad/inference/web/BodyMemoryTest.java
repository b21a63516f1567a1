package org.fleetgrad.inference.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.assertj.core.api.AbstractThrowableAssert;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.inference.body.BodyMemory;
import org.fleetgrad.protocol.ProblemKind;
import org.junit.jupiter.api.Test;

/** The memory of bodies, as their reader reserves it. */
class BodyMemoryTest {

    private static final int LARGE = 1_000_000;
    private static final int SMALL = BodyMemory.FREE_BYTES;

    private final BodyMemory memory = new BodyMemory(2 * LARGE);
    private final BoundedBodyReader reader = new BoundedBodyReader(4 * LARGE, memory, () -> 0);

    @Test
    void shouldReserveABodyUntilItIsAnswered() throws IOException {
        try (ReceivedBody body = read(LARGE, LARGE)) {
            assertThat(memory.reserved()).isEqualTo(body.bytes().length - BodyMemory.FREE_BYTES);
        }

        assertThat(memory.reserved()).isZero();
    }

    @Test
    void shouldRefuseABodyWhileOthersTakeTheMemoryAndLetASmallOneIn() throws IOException {
        try (ReceivedBody first = read(LARGE, LARGE)) {
            assertThat(first.bytes()).hasSize(LARGE);

            refused(LARGE, LARGE, ProblemKind.BUSY)
                    .hasMessageContaining("the bodies of other requests take 934464 bytes")
                    .hasMessageContaining("together they may take 2000000");
            try (ReceivedBody small = read(SMALL, SMALL)) {
                assertThat(small.bytes()).hasSize(SMALL);
            }
            assertThat(memory.reserved()).isEqualTo(LARGE - BodyMemory.FREE_BYTES);
        }
    }

    @Test
    void shouldRefuseABodyThatTakesMoreThanThereIs() {
        refused(3 * LARGE, 3 * LARGE, ProblemKind.TOO_LARGE)
                .hasMessageContaining("may take 2000000 together (inference.body-memory)");
        refused(3 * LARGE, -1, ProblemKind.TOO_LARGE).hasMessageContaining("2000000");

        assertThat(memory.reserved()).isZero();
    }

    /** Memory for bytes that never come would let a few clients lock out all others. */
    @Test
    void shouldReserveAtMostTwiceWhatHasCome() throws IOException {
        long[] most = {0};
        InputStream slow = new ByteArrayInputStream(new byte[200_000]) {
            @Override
            public synchronized int read(byte[] into, int offset, int length) {
                most[0] = Math.max(most[0], memory.reserved());
                return super.read(into, offset, length);
            }
        };

        try (ReceivedBody body = reader.read(slow, LARGE)) {
            assertThat(body.bytes()).hasSize(200_000);
        }

        assertThat(most[0]).isBetween(100_000L, 400_000L);
    }

    private ReceivedBody read(int bytes, int stated) throws IOException {
        return reader.read(new ByteArrayInputStream(new byte[bytes]), stated);
    }

    private AbstractThrowableAssert<?, ?> refused(int bytes, int stated, ProblemKind kind) {
        return assertThatThrownBy(() -> read(bytes, stated))
                .isInstanceOfSatisfying(
                        RequestRefused.class,
                        refused -> assertThat(refused.kind()).isEqualTo(kind));
    }
}
