package org.fleetgrad.ps.training;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntFunction;
import org.fleetgrad.ps.outcome.PushOutcome;

/** Blocks the applier in its first push, so that what arrives meanwhile is processed in one batch with it. */
public final class Gate extends TrainingRun.Quiet {

    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch open = new CountDownLatch(1);

    @Override
    public void pushed(PushOutcome outcome) {
        entered.countDown();
        try {
            assertThat(open.await(60, SECONDS)).isTrue();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits until the applier is in its first push. */
    public void awaitEntered() throws InterruptedException {
        assertThat(entered.await(60, SECONDS)).isTrue();
    }

    /** Releases the applier. */
    public void open() {
        open.countDown();
    }

    /** Submits number 1, then the others up to {@code count} while it is being processed, and releases the applier. */
    public <T> List<T> together(int count, IntFunction<T> submission) throws InterruptedException {
        List<T> submitted = new ArrayList<>();
        submitted.add(submission.apply(1));
        awaitEntered();
        for (int i = 2; i <= count; i++) {
            submitted.add(submission.apply(i));
        }
        open();
        return submitted;
    }
}
