package org.fleetgrad.inference.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.fleetgrad.access.RequestRefused;
import org.junit.jupiter.api.Test;

class GrpcCallsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final AtomicLong now = new AtomicLong();
    private final AtomicInteger late = new AtomicInteger();
    private final GrpcCalls calls = new GrpcCalls(new GrpcLimits(1_000, 2, 10_000, 10, PATIENCE), now::get);

    @Test
    void shouldAllowFewerCallsWhenMessagesMayBeLarge() {
        assertThat(GrpcLimits.of(1 << 20, 4L << 30).calls()).isEqualTo(256);
        assertThat(GrpcLimits.of(1 << 20, 1L << 30).calls()).isEqualTo(128);
        assertThat(GrpcLimits.of(64 << 20, 256L << 20).calls()).isEqualTo(8);
    }

    @Test
    void shouldRefuseCallsBeyondTheMostUntilOneEnds() {
        GrpcCalls.Admitted first = admit();
        admit();

        assertThatThrownBy(this::admit)
                .isInstanceOf(RequestRefused.class)
                .hasMessage("2 calls are under way, the most that there may be");

        first.end();
        first.end();
        admit();
        assertThatThrownBy(this::admit).isInstanceOf(RequestRefused.class);
        assertThat(calls.size()).isEqualTo(2);
    }

    @Test
    void shouldRefuseAMessageThatFindsNoMemory() {
        GrpcCalls.Admitted first = admit();
        GrpcCalls.Admitted second = admit();
        first.arrived(1_000);

        assertThatThrownBy(() -> second.arrived(500))
                .hasMessage(
                        "the messages of other calls take 8000 bytes of memory, and this one takes 4000; together they may take 10000");

        first.answered();
        second.arrived(500);
    }

    /** Otherwise it would be refused for ever. */
    @Test
    void shouldTakeALargeMessageThatIsAlone() {
        admit().arrived(5_000);
    }

    @Test
    void shouldEndThePatienceWithAMessageAndWithAnAnswerButNotWithAComputation() {
        GrpcCalls.Admitted call = admit();
        after(PATIENCE.minusNanos(1));
        assertThat(late).hasValue(0);
        after(Duration.ofNanos(1));
        assertThat(late).hasValue(1);
        after(PATIENCE);
        assertThat(late).as("once").hasValue(1);
        call.end();

        GrpcCalls.Admitted other = admit();
        other.arrived(1);
        after(PATIENCE.multipliedBy(2));
        assertThat(late).as("the batcher bounds that").hasValue(1);
        other.answered();
        after(PATIENCE);
        assertThat(late).hasValue(2);
        other.end();
        after(PATIENCE);
        assertThat(late).hasValue(2);
    }

    private GrpcCalls.Admitted admit() {
        return calls.admit(late::incrementAndGet);
    }

    private void after(Duration time) {
        now.addAndGet(time.toNanos());
        calls.look();
    }
}
