package org.fleetgrad.ps.training;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.ps.outcome.PushOutcome;
import org.fleetgrad.ps.outcome.PushOutcome.Applied;
import org.fleetgrad.ps.outcome.SubmissionResult;
import org.fleetgrad.ps.run.Lifecycle.Precondition;
import org.fleetgrad.ps.run.TrainingListener;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ApplierTest {

    private static final String FULL = "the queue is full: 2 of 2 submissions wait";

    @Test
    void shouldAnswerBusyAtOnceWhenTheQueueIsFull() throws InterruptedException {
        Gate gate = new Gate();
        try (TrainingRun run = new TrainingRun(new TrainingMode.Async(1), 2, gate)
                .startingAt(0)
                .withWorkers("a")) {
            List<CompletableFuture<PushOutcome>> taken = new ArrayList<>();
            taken.add(send(run, 1));
            gate.awaitEntered();
            taken.add(send(run, 2));
            taken.add(send(run, 3));
            assertThat(run.training().queued()).isEqualTo(2);

            assertThat(submit(run, 4)).isCompletedWithValue(new SubmissionResult.Busy<>(FULL));
            assertThat(run.submitPut(Precondition.PRESENT, 0)).isCompletedWithValue(new SubmissionResult.Busy<>(FULL));
            // Lost, and repeated at the next tick: it must neither block nor throw.
            run.training().membershipChanged();
            gate.open();

            assertThat(taken.stream().map(CompletableFuture::join))
                    .containsExactly(new Applied(1, 0), new Applied(2, 1), new Applied(3, 2));
            assertThat(run.values()).containsExactly(-1.5f);
            assertThat(send(run, 4).join()).as("the same push again").isEqualTo(new Applied(4, 3));
        }
    }

    @Test
    void shouldDoWhatWasQueuedBeforeItCloses() throws InterruptedException {
        Gate gate = new Gate();
        TrainingRun run = new TrainingRun(new TrainingMode.Async(1), 2, gate)
                .startingAt(0)
                .withWorkers("a");
        CompletableFuture<PushOutcome> first = send(run, 1);
        gate.awaitEntered();
        CompletableFuture<PushOutcome> second = send(run, 2);
        gate.open();

        run.close();

        assertThat(first).isCompletedWithValue(new Applied(1, 0));
        assertThat(second).isCompletedWithValue(new Applied(2, 1));
        assertThat(submit(run, 3)).isCompletedWithValue(new SubmissionResult.Busy<>("the server is stopping"));
    }

    @Test
    void shouldFailThePushAndGoOnWhenMemoryRunsOut() {
        AtomicBoolean isFull = new AtomicBoolean(true);
        TrainingListener listener = new TrainingRun.Quiet() {
            @Override
            public void pushed(PushOutcome outcome) {
                if (isFull.getAndSet(false)) {
                    throw new OutOfMemoryError("as the allocation of a large buffer would");
                }
            }
        };
        try (TrainingRun run = new TrainingRun(new TrainingMode.Async(1), 2, listener)
                .startingAt(0)
                .withWorkers("a")) {
            // A future that never completes would hold a request forever.
            assertThat(send(run, 1))
                    .failsWithin(20, SECONDS)
                    .withThrowableThat()
                    .havingCause()
                    .isInstanceOf(OutOfMemoryError.class);

            assertThat(send(run, 2))
                    .succeedsWithin(20, SECONDS)
                    .asInstanceOf(InstanceOfAssertFactories.type(PushOutcome.class))
                    .isEqualTo(new Applied(2, 1));
        }
    }

    private static CompletableFuture<PushOutcome> send(TrainingRun run, long sequence) {
        return submit(run, sequence).thenApply(TrainingRun::outcome);
    }

    private static CompletableFuture<SubmissionResult<PushOutcome>> submit(TrainingRun run, long sequence) {
        return run.submit(TrainingRun.metadata("a", sequence, TrainingRun.GENERATION, 0, 1), 1);
    }
}
