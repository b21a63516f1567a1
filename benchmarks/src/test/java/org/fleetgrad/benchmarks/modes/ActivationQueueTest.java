package org.fleetgrad.benchmarks.modes;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.fleetgrad.benchmarks.modes.ActivationQueue.Work;
import org.junit.jupiter.api.Test;

class ActivationQueueTest {

    private static final Path A = Path.of("a");
    private static final Path B = Path.of("b");

    private final ActivationQueue queue = new ActivationQueue(List.of(A, B), 2);

    @Test
    void shouldHandOutEveryShardOnceAnEpoch() throws Exception {
        for (Work expected :
                List.of(new Work(0, 0, A, 0), new Work(1, 0, B, 0), new Work(2, 1, A, 0), new Work(3, 1, B, 0))) {
            assertThat(queue.take()).contains(expected);
            queue.done();
        }
        assertThat(queue.take()).isEmpty();
    }

    @Test
    void shouldHandOutWhatWasKilledNext() throws Exception {
        Work killed = queue.take().orElseThrow();

        queue.giveBack(killed);

        assertThat(queue.take()).contains(new Work(0, 0, A, 1));
    }

    @Test
    void shouldHoldAnIdleWorkerWhileAnotherMayDieWithTheLastPiece() throws Exception {
        Work last = queue.take().orElseThrow();
        while (last.index() < 3) {
            queue.done();
            last = queue.take().orElseThrow();
        }
        CompletableFuture<Optional<Work>> idle = CompletableFuture.supplyAsync(() -> {
            try {
                return queue.take();
            } catch (InterruptedException interrupted) {
                throw new IllegalStateException(interrupted);
            }
        });

        queue.giveBack(last);

        assertThat(idle.get(60, TimeUnit.SECONDS)).contains(new Work(3, 1, B, 1));
    }

    @Test
    void shouldHandOutNothingOnceItIsAbandoned() throws Exception {
        Work inHand = queue.take().orElseThrow();

        queue.abandon();
        queue.giveBack(inHand);

        assertThat(queue.take()).isEmpty();
    }
}
