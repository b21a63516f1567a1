package org.fleetgrad.inference.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.inference.body.BodyMemory;
import org.junit.jupiter.api.Test;

class GrpcCallsTest {

    private static final int FREE = BodyMemory.FREE_BYTES;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final AtomicLong now = new AtomicLong();
    private final AtomicInteger late = new AtomicInteger();
    private final BodyMemory memory = new BodyMemory(10_000);
    private final GrpcCalls calls = new GrpcCalls(new GrpcLimits(1_000, 2, 10, PATIENCE), memory, now::get);

    @Test
    void shouldAllowAsManyCallsWhateverTheirMessagesMayBe() {
        assertThat(GrpcLimits.of(16 << 20, 320L << 20).calls()).isEqualTo(256);
        assertThat(GrpcLimits.of(64 << 20, 4L << 30).calls()).isEqualTo(256);
        assertThat(GrpcLimits.of(16 << 20, 64L << 20).calls()).isEqualTo(128);
        assertThat(GrpcLimits.of(16 << 20, 1L << 20).calls()).isEqualTo(8);
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
    void shouldRefuseAPieceThatGetsNoMemory() {
        GrpcCalls.Admitted first = admit();
        GrpcCalls.Admitted second = admit();
        first.take(FREE + 4_000);
        first.takeUpTo(FREE + 8_000);
        first.takeUpTo(FREE);
        second.take(FREE);

        assertThatThrownBy(() -> second.take(4_000))
                .hasMessage("the bodies of other requests take 8000 bytes, and this one needs 4000; "
                        + "together they may take 10000 (inference.body-memory)");

        first.arrived();
        first.answered();
        assertThat(memory.reserved()).isZero();
        second.take(4_000);
        assertThatThrownBy(() -> second.takeUpTo(FREE + 10_001))
                .hasMessageContaining("takes 10001 bytes of memory")
                .hasMessageContaining("may take 10000 together");

        second.end();
        second.take(FREE + 1);
        assertThat(memory.reserved()).as("the last piece came too late").isZero();
    }

    /** They are in the buffers of its connection. */
    @Test
    void shouldCountThePiecesOfARefusedMessageUntilItsCallIsOver() {
        GrpcCalls.Admitted call = admit();
        call.take(FREE + 1_000);
        call.answered();
        assertThat(memory.reserved()).isEqualTo(1_000);

        call.end();
        assertThat(memory.reserved()).isZero();
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
        other.arrived();
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
