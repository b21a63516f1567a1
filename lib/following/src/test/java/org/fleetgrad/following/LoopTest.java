package org.fleetgrad.following;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LoopTest {

    @Test
    void shouldRunRoundsOnDaemonThreadUntilClosed() throws InterruptedException {
        CountDownLatch rounds = new CountDownLatch(3);
        CountDownLatch afterwards = new CountDownLatch(1);
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        Loop loop = new Loop(
                "test",
                () -> {
                    thread.complete(Thread.currentThread());
                    rounds.countDown();
                    return Duration.ofMillis(1);
                },
                afterwards::countDown);

        loop.start();
        assertThat(rounds.await(60, TimeUnit.SECONDS)).isTrue();
        loop.close();

        assertThat(afterwards.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(thread.join().isDaemon()).isTrue();
        assertThat(thread.join().getName()).isEqualTo("test");
    }

    @Test
    void shouldGoOnAfterBug() throws InterruptedException {
        CountDownLatch rounds = new CountDownLatch(2);
        try (Loop loop = new Loop(
                "test",
                () -> {
                    rounds.countDown();
                    throw new IllegalStateException("a bug");
                },
                () -> {})) {
            loop.start();

            assertThat(rounds.await(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void shouldNotWaitForRoundThatHangs() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        Loop loop = new Loop(
                "test",
                () -> {
                    begun.countDown();
                    awaitUninterruptibly(end);
                    return Duration.ZERO;
                },
                () -> {});
        loop.start();
        assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();

        loop.close();

        assertThat(end.getCount()).isEqualTo(1);
        end.countDown();
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        while (true) {
            try {
                latch.await();
                return;
            } catch (InterruptedException ignored) {
                // Ignores the interrupt, like a read from a socket.
            }
        }
    }
}
