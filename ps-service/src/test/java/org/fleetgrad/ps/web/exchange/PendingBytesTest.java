package org.fleetgrad.ps.web.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.fleetgrad.ps.web.problem.RequestRefused;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class PendingBytesTest {

    private final PendingBytes pending = new PendingBytes(100);

    @Test
    void shouldRefuseWhatIsMoreThanTheRest() {
        try (PendingBytes.Part first = pending.take(60)) {
            assertThat(first).isNotNull();
            assertThat(pending.held()).isEqualTo(60);
            try (PendingBytes.Part second = pending.take(40)) {
                assertThat(second).isNotNull();
                assertThatThrownBy(() -> pending.take(2))
                        .hasMessage(
                                "gradients in the server take 100 bytes, and this one would take 2 more; allowed are 100");
                assertThat(pending.held()).as("a refusal holds nothing").isEqualTo(100);
            }
            assertThatThrownBy(() -> pending.take(41)).isInstanceOf(RequestRefused.class);
        }
        assertThat(pending.held()).isZero();
    }

    @Test
    void shouldAlwaysLetOneIn() {
        try (PendingBytes.Part large = pending.take(1_000_000)) {
            assertThat(large).isNotNull();
            assertThatThrownBy(() -> pending.take(1)).isInstanceOf(RequestRefused.class);
        }
        pending.take(1_000_000).close();
        assertThat(pending.held()).isZero();
    }

    @Test
    @Timeout(60)
    void shouldHoldTheBoundFromManyThreads() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AtomicInteger taken = new AtomicInteger();
        CountDownLatch begin = new CountDownLatch(1);
        ExecutorService threads = Executors.newFixedThreadPool(8);
        List<Future<?>> done = new ArrayList<>();
        for (int thread = 0; thread < 8; thread++) {
            done.add(threads.submit(() -> {
                begin.await();
                for (int i = 0; i < 20_000; i++) {
                    try (PendingBytes.Part part = pending.take(20)) {
                        most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                        taken.incrementAndGet();
                        inside.decrementAndGet();
                        assertThat(part).isNotNull();
                    } catch (RequestRefused full) {
                        Thread.onSpinWait();
                    }
                }
                return null;
            }));
        }
        begin.countDown();
        for (Future<?> each : done) {
            each.get();
        }
        threads.shutdown();

        assertThat(pending.held()).isZero();
        assertThat(most.get()).isBetween(1, 5);
        assertThat(taken.get()).isPositive();
    }
}
