package org.fleetgrad.http.body;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class BodyDrainTest {

    private static final int PIECE = 64 * 1024;

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1);
    private final AtomicInteger completed = new AtomicInteger();

    @Test
    void shouldReadAllOfABodyThatEnds() throws Exception {
        Body body = new Body(3 << 20, 3 << 20);

        drain(body).onDataAvailable();

        assertThat(body.left).isZero();
        assertThat(completed).hasValue(1);
    }

    @Test
    void shouldNotWaitForABodyThatPauses() throws Exception {
        Body body = new Body(3 << 20, 1 << 20);

        drain(body).onDataAvailable();

        assertThat(body.left).isEqualTo(2 << 20);
        assertThat(completed).hasValue(0);
    }

    @Test
    void shouldStopReadingABodyThatDoesNotEnd() throws Exception {
        Body endless = new Body(Integer.MAX_VALUE, Integer.MAX_VALUE);

        drain(endless).onDataAvailable();

        // The clock moves a second with each piece, and may well be about to turn over.
        int pieces = (Integer.MAX_VALUE - endless.left) / PIECE;
        assertThat(pieces).isEqualTo((int) UnwantedBody.TIMEOUT.toSeconds());
        assertThat(completed).hasValue(1);
    }

    @Test
    void shouldEndOnceWhenItsTimeIsUpOrTheClientIsGone() {
        BodyDrain drain = drain(new Body(10, 0));

        drain.onError(new IllegalStateException("gone"));
        drain.onAllDataRead();

        assertThat(completed).hasValue(1);
    }

    @Test
    void shouldReadNoMoreThanItShould() throws Exception {
        Body fast = new Body(1 << 30, 1 << 30);

        drain(fast, 1 << 20).onDataAvailable();

        assertThat((1 << 30) - fast.left).isEqualTo((1 << 20) + PIECE);
        assertThat(completed).hasValue(1);
    }

    @Test
    void shouldReadABodyThatItsRouteCouldTakeAndOfAnyOtherWhatIsUnderWay() {
        assertThat(UnwantedBody.mostBytes(50 << 20, 64 << 20)).isEqualTo(50 << 20);
        assertThat(UnwantedBody.mostBytes(5, 64 << 20)).isEqualTo(UnwantedBody.UNDER_WAY_BYTES);
        assertThat(UnwantedBody.mostBytes(-1, 64 << 20)).isEqualTo(UnwantedBody.UNDER_WAY_BYTES);
        assertThat(UnwantedBody.mostBytes(Long.MAX_VALUE, 64 << 20)).isEqualTo(UnwantedBody.UNDER_WAY_BYTES);
    }

    private BodyDrain drain(Body body) {
        return drain(body, Long.MAX_VALUE);
    }

    private BodyDrain drain(Body body, long mostBytes) {
        AsyncContext async = (AsyncContext) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {AsyncContext.class}, (proxy, method, arguments) -> {
                    assertThat(method.getName()).isEqualTo("complete");
                    completed.incrementAndGet();
                    return null;
                });
        return new BodyDrain(async, body, mostBytes, now::get);
    }

    /** A body of which a part is there. */
    private final class Body extends ServletInputStream {

        private int left;
        private int ready;

        Body(int left, int ready) {
            this.left = left;
            this.ready = ready;
        }

        @Override
        public int read() {
            throw new AssertionError("it is read in pieces");
        }

        @Override
        public int read(byte[] into, int offset, int length) {
            if (left > 1 << 30) {
                now.addAndGet(Duration.ofSeconds(1).toNanos());
            }
            int read = Math.min(length, ready);
            left -= read;
            ready -= read;
            return left + read == 0 ? -1 : read;
        }

        @Override
        public boolean isFinished() {
            return left == 0;
        }

        @Override
        public boolean isReady() {
            return ready > 0 || left == 0;
        }

        @Override
        public void setReadListener(ReadListener listener) {
            throw new AssertionError("it has one");
        }
    }
}
