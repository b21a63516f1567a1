package org.fleetgrad.access.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class TimedBodyTest {

    // The clock of the JVM may well be about to turn over.
    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1);

    /** Sends a byte a second, for as many seconds. */
    private final class Trickle extends ServletInputStream {

        private int left;

        Trickle(int bytes) {
            this.left = bytes;
        }

        @Override
        public int read() {
            now.addAndGet(Duration.ofSeconds(1).toNanos());
            return left-- > 0 ? 'x' : -1;
        }

        @Override
        public int read(byte[] into, int offset, int length) {
            int next = read();
            if (next < 0) {
                return -1;
            }
            into[offset] = (byte) next;
            return 1;
        }

        @Override
        public boolean isFinished() {
            return left == 0;
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setReadListener(ReadListener listener) {
            throw new UnsupportedOperationException();
        }
    }

    @Test
    void shouldReadABodyThatComesInTime() throws IOException {
        assertThat(new TimedBody(new Trickle(9), now::get).readAllBytes()).hasSize(9);
    }

    @Test
    void shouldGiveUpABodyThatTrickles() {
        TimedBody body = new TimedBody(new Trickle(Integer.MAX_VALUE), now::get);

        assertThatThrownBy(body::readAllBytes)
                .isInstanceOf(IOException.class)
                .hasMessage("the body did not end within 10 s");
        assertThatThrownBy(body::read).isInstanceOf(IOException.class);
    }
}
