package org.fleetgrad.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.fleetgrad.serving.images.InvalidImagesException;
import org.fleetgrad.serving.images.InvalidImagesException.Rule;
import org.junit.jupiter.api.Test;

/** Who gets memory for samples, and who is refused. */
class SampleMemoryTest {

    private final SampleMemory memory = new SampleMemory(1_000);

    @Test
    void shouldLeaseUntilTheMemoryIsFullAndAgainWhenItIsFree() {
        SampleMemory.Lease first = memory.lease();
        assertThat(first.floats(10, 15)).hasSize(150);
        assertThat(first.floats(1, 50)).hasSize(50);
        SampleMemory.Lease second = memory.lease();

        assertThatThrownBy(() -> second.floats(3, 20))
                .isInstanceOfSatisfying(
                        InvalidImagesException.class,
                        busy -> assertThat(busy.rule()).isEqualTo(Rule.BUSY))
                .hasMessage(
                        "the samples of other requests take 800 bytes of memory, and those of this one take 240; together they may take 1,000");
        assertThat(second.floats(5, 10)).hasSize(50);
        assertThat(memory.leased()).isEqualTo(1_000);

        first.close();
        first.close();
        assertThat(memory.leased()).isEqualTo(200);
        second.close();
        assertThat(memory.leased()).isZero();
    }

    @Test
    void shouldRefuseARequestThatNeverFits() {
        assertThatThrownBy(() -> memory.lease().floats(65_536, 65_536))
                .isInstanceOfSatisfying(
                        InvalidImagesException.class,
                        tooLarge -> assertThat(tooLarge.rule()).isEqualTo(Rule.TOO_MANY))
                .hasMessage(
                        "the 65,536 samples of the request take 17,179,869,184 bytes of memory; those of all requests may take 1,000: send fewer in a request");
        assertThat(memory.leased()).isZero();
    }

    /** More threads than fit: never more is leased than there is, and all of it comes back. */
    @Test
    void shouldNeverLeaseMoreThanThereIs() {
        AtomicInteger answered = new AtomicInteger();
        AtomicInteger refused = new AtomicInteger();
        IntStream.range(0, 5_000).parallel().forEach(i -> {
            try (SampleMemory.Lease lease = memory.lease()) {
                assertThat(lease.floats(1, 100)).hasSize(100);
                assertThat(memory.leased()).isBetween(400L, 1_000L);
                assertThat(lease.floats(1, 125)).hasSize(125);
                answered.incrementAndGet();
            } catch (InvalidImagesException busy) {
                refused.incrementAndGet();
            }
        });

        assertThat(answered.get() + refused.get()).isEqualTo(5_000);
        assertThat(answered.get()).isPositive();
        assertThat(memory.leased()).isZero();
    }
}
