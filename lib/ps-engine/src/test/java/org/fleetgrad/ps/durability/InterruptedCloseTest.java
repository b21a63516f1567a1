package org.fleetgrad.ps.durability;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.ps.history.RunHistory;
import org.fleetgrad.ps.persistence.JournalEntry;
import org.fleetgrad.ps.persistence.TrainingState;
import org.fleetgrad.ps.training.TrainingRun;
import org.fleetgrad.testing.ManualClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InterruptedCloseTest {

    @TempDir(factory = InMemory.class)
    private Path folder;

    @Test
    void shouldWaitForTheWriteToEndWhenItIsInterrupted() throws Exception {
        CountDownLatch open = new CountDownLatch(1);
        AtomicBoolean isWritten = new AtomicBoolean();
        AtomicBoolean sawTheEnd = new AtomicBoolean();
        AtomicBoolean isInterrupted = new AtomicBoolean();
        TrainingState state = StateFilesTest.state(new TreeMap<>(), RunHistory.State.EMPTY);
        DurableTraining durable = new DurableTraining(
                new DurabilitySettings(false, Duration.ofDays(1), 1, OptionalLong.of(1L << 40), 3),
                TrainingRun.plain(new TrainingMode.Async(1), 1),
                DurableRun.location(folder),
                new ManualClock(),
                new ManualClock(),
                () -> {
                    try {
                        open.await();
                        isWritten.set(true);
                    } catch (InterruptedException unexpected) {
                        throw new IllegalStateException(unexpected);
                    }
                    return Map.of();
                },
                new DurableRun.Checkpointed());
        durable.append(new JournalEntry.Stepped());
        durable.checkpointIfDue(state.version(), false, () -> state);
        Thread waiting = new Thread(() -> {
            try {
                durable.close(Optional.empty());
            } catch (IOException unexpected) {
                throw new UncheckedIOException(unexpected);
            }
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
    }
}
