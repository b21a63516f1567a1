package org.fleetgrad.pipeline.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.EOFException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.fleetgrad.pipeline.frame.Frame;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FrameQueueTest {

    private static final String NAME = "activations from stage 0 to stage 1";

    private final FrameQueue queue = new FrameQueue(NAME, 2);

    @Test
    void shouldDeliverFramesInTheirOrder() throws Exception {
        queue.send(frame(1));
        queue.send(frame(2));

        assertThat(queue.receive().microBatch()).isEqualTo(1);
        assertThat(queue.receive().microBatch()).isEqualTo(2);
    }

    @Test
    void shouldLetSenderWaitWhileFull() throws Exception {
        queue.send(frame(1));
        queue.send(frame(2));
        AtomicBoolean isThrough = new AtomicBoolean();
        Thread sender = thread(() -> {
            queue.send(frame(3));
            isThrough.set(true);
        });
        await(sender, Thread.State.WAITING);

        assertThat(isThrough).isFalse();
        queue.receive();
        sender.join();
        assertThat(isThrough).isTrue();
    }

    @Test
    void shouldFailWhoWaitsAndWhoComesLaterWithNeighboursCause() throws Exception {
        CompletableFuture<Frame> received = new CompletableFuture<>();
        Thread receiver = thread(() -> {
            try {
                received.complete(queue.receive());
            } catch (NeighbourFailedException failure) {
                received.completeExceptionally(failure);
            }
        });
        await(receiver, Thread.State.WAITING);
        IllegalStateException cause = new IllegalStateException("no memory left");

        queue.fail(cause);
        queue.fail(new IllegalStateException("later"));

        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(received::get)
                .withCauseInstanceOf(NeighbourFailedException.class)
                .havingRootCause()
                .isSameAs(cause);
        assertThatExceptionOfType(NeighbourFailedException.class)
                .isThrownBy(() -> queue.send(frame(1)))
                .withMessageContaining(NAME)
                .withMessageContaining("no memory left");
    }

    @Test
    void shouldStillDeliverWhatWasSentBeforeClose() throws Exception {
        queue.send(frame(1));
        queue.close();

        assertThat(queue.receive().microBatch()).isEqualTo(1);
        assertThatExceptionOfType(EOFException.class).isThrownBy(queue::receive).withMessageContaining(NAME);
        assertThatIOException()
                .isThrownBy(() -> queue.send(frame(5)))
                .withMessageContaining("micro-batch 5 cannot be sent");
    }

    @Test
    void shouldWakeWhoWaitsByInterruption() throws Exception {
        CountDownLatch interrupted = new CountDownLatch(1);
        Thread receiver = thread(() -> {
            try {
                queue.receive();
            } catch (InterruptedException expected) {
                interrupted.countDown();
            }
        });
        await(receiver, Thread.State.WAITING);

        receiver.interrupt();

        interrupted.await();
        receiver.join();
    }

    @Test
    void shouldRefuseToHoldNothing() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new FrameQueue(NAME, 0))
                .withMessageContaining("the capacity of " + NAME + " is 0");
    }

    private interface Work {
        void run() throws Exception;
    }

    private static Thread thread(Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (Exception failure) {
                throw new IllegalStateException(failure);
            }
        });
        thread.start();
        return thread;
    }

    private static void await(Thread thread, Thread.State state) {
        while (thread.getState() != state) {
            Thread.onSpinWait();
        }
    }

    private static Frame frame(long microBatch) {
        return Frame.activation(microBatch, new float[] {microBatch}, 1);
    }
}
