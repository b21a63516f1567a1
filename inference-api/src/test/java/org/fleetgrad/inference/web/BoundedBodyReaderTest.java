package org.fleetgrad.inference.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.inference.body.BodyMemory;
import org.fleetgrad.protocol.ProblemKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BoundedBodyReaderTest {

    private static final int LIMIT = 20_000;

    // The clock of the JVM may be about to overflow.
    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1);
    private final BodyMemory memory = new BodyMemory(1 << 20);
    private final BoundedBodyReader reader = new BoundedBodyReader(LIMIT, memory, now::get);

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 8192, 8193, LIMIT})
    void shouldReadABodyUpToTheLimit(int bytes) throws IOException {
        byte[] body = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            body[i] = (byte) i;
        }

        for (int stated : new int[] {-1, bytes}) {
            assertThat(reader.read(new ByteArrayInputStream(body), stated).bytes())
                    .isEqualTo(body);
        }
    }

    @Test
    void shouldReadNotAByteMoreThanTellsThatItIsTooLarge() {
        ByteArrayInputStream body = new ByteArrayInputStream(new byte[LIMIT + 100]);

        assertThatThrownBy(() -> reader.read(body, -1))
                .isInstanceOfSatisfying(
                        RequestRefused.class,
                        refused -> assertThat(refused.kind()).isEqualTo(ProblemKind.TOO_LARGE));
        assertThat(body.available()).isEqualTo(99);
    }

    @Test
    void shouldGiveUpABodyThatTrickles() {
        InputStream trickle = new InputStream() {
            @Override
            public int read() {
                throw new AssertionError("it is read in pieces");
            }

            @Override
            public int read(byte[] into, int offset, int length) {
                now.addAndGet(Duration.ofSeconds(1).toNanos());
                return 1;
            }
        };

        assertThatThrownBy(() -> reader.read(trickle, -1))
                .isInstanceOfSatisfying(
                        RequestRefused.class,
                        refused -> assertThat(refused.kind()).isEqualTo(ProblemKind.REQUEST_TIMEOUT))
                .hasMessage("the body did not end within 30 s; 31 bytes of it came");
    }

    @Test
    void shouldSayHowMuchOfABrokenBodyCame() {
        InputStream broken = new InputStream() {
            private int left = 7;

            @Override
            public int read() throws IOException {
                if (left-- == 0) {
                    throw new IOException("gone");
                }
                return 1;
            }

            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
                into[offset] = (byte) read();
                return 1;
            }
        };

        assertThatThrownBy(() -> reader.read(broken, -1))
                .isInstanceOf(RequestRefused.class)
                .hasMessage("the body broke off after 7 bytes");
    }
}
