package org.fleetgrad.ps.web.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeferredSinkTest {

    private final ReceivedBytes arrived = new ReceivedBytes(1 << 24);
    private final AtomicInteger opened = new AtomicInteger(-1);

    /**
     * Bytes that must have arrived before the memory is reserved: an eighth of it, or all complete values of the body.
     */
    @ParameterizedTest
    @CsvSource({"8000000, 8000000, 1000000", "320, 10000000, 320", "323, 10000000, 320", "100, 80, 8", "3, 10000000, 0"
    })
    void shouldTakeMemoryWhenTheBytesThatCameHaveEarnedIt(int dataBytes, long memoryBytes, int earned) {
        ByteBuffer whole = ByteBuffer.allocate(dataBytes);
        int sent = 0;
        try (ReceivedBytes.Reservation share = arrived.newReservation()) {
            BodySink sink = BodySink.Deferred.of(dataBytes, memoryBytes, share, () -> {
                opened.set(whole.position());
                return whole::put;
            });
            if (earned == 0) {
                assertThat(opened).hasValue(0);
            }
            // As a chunk is read: its unread bytes are passed again, before the next bytes.
            ByteBuffer chunk = ByteBuffer.allocate(EncodedGradient.Buffers.CHUNK_BYTES);
            while (sent < dataBytes) {
                int more = Math.min(Math.min(1_001, chunk.remaining()), dataBytes - sent);
                for (int i = 0; i < more; i++) {
                    chunk.put((byte) (sent + i));
                }
                sent += more;
                chunk.flip();
                sink.take(chunk);
                chunk.compact();
                assertThat(opened.get() >= 0).as("after %d bytes", sent).isEqualTo(sent >= earned);
            }
            assertThat(chunk.position()).as("nothing is left over").isZero();
        }
        for (int i = 0; i < dataBytes; i++) {
            assertThat(whole.get(i)).isEqualTo((byte) i);
        }
        assertThat(arrived.held()).isZero();
    }
}
