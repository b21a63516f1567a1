package org.fleetgrad.access.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class UnreadBodyFilterTest {

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1);

    @Test
    void shouldReadAllOfABodyThatEnds() throws Exception {
        InputStream body = new ByteArrayInputStream(new byte[3 << 20]);

        UnreadBodyFilter.drain(body, now::get);

        assertThat(body.available()).isZero();
    }

    @Test
    void shouldStopReadingABodyThatDoesNotEnd() throws Exception {
        AtomicLong pieces = new AtomicLong();
        InputStream endless = new InputStream() {
            @Override
            public int read() {
                throw new AssertionError("it is read in pieces");
            }

            @Override
            public int read(byte[] into, int offset, int length) {
                pieces.incrementAndGet();
                // The clock of the JVM may well be about to turn over.
                now.addAndGet(Duration.ofSeconds(1).toNanos());
                return length;
            }
        };

        UnreadBodyFilter.drain(endless, now::get);

        assertThat(pieces.get()).isEqualTo(UnreadBodyFilter.PATIENCE.toSeconds());
    }
}
