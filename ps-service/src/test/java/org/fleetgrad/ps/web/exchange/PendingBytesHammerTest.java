package org.fleetgrad.ps.web.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.ps.settings.PendingLimit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The bound under concurrent gradients of many threads. */
class PendingBytesHammerTest {

    private final PendingBytes pending = new PendingBytes(new PendingLimit(OptionalLong.of(100)));

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
                    try (PendingBytes.Reservation part = pending.reserve(20, 100)) {
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
