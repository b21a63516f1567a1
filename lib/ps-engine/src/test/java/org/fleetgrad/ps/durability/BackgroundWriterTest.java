package org.fleetgrad.ps.durability;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class BackgroundWriterTest {

    @Test
    void shouldWaitForTheWriteToEndWhenItIsInterrupted() throws Exception {
        CountDownLatch open = new CountDownLatch(1);
        AtomicBoolean isWritten = new AtomicBoolean();
        AtomicBoolean sawTheEnd = new AtomicBoolean();
        AtomicBoolean isInterrupted = new AtomicBoolean();
        BackgroundWriter writer = new BackgroundWriter();
        writer.run(() -> {
            try {
                open.await();
                isWritten.set(true);
            } catch (InterruptedException unexpected) {
                throw new IllegalStateException(unexpected);
            }
        });
        Thread waiting = new Thread(() -> {
            writer.await();
            sawTheEnd.set(isWritten.get());
            isInterrupted.set(Thread.currentThread().isInterrupted());
        });
        waiting.start();

        waiting.interrupt();
        Awaitility.await().until(() -> !waiting.isInterrupted());
        open.countDown();
        waiting.join();

        assertThat(sawTheEnd).isTrue();
        assertThat(isInterrupted).as("the interrupt is not swallowed").isTrue();
        writer.close();
    }
}
