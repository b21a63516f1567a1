package org.fleetgrad.pipeline.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.fleetgrad.pipeline.cure.Combination;
import org.fleetgrad.pipeline.frame.Frame;
import org.fleetgrad.pipeline.schedule.PipelineSchedule;
import org.fleetgrad.pipeline.stage.MicroBatch;
import org.fleetgrad.pipeline.training.ThreadedPipeline.StageFailedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FailureTest {

    private static final int MICRO_BATCHES = 20;

    /** Fails when labels are read, on the last stage, or samples, on the first one. */
    private record Failing(TinyData data, int at, boolean onLabels) implements MicroBatches {

        @Override
        public int count() {
            return data.count();
        }

        @Override
        public MicroBatch at(int place, boolean withLabels) {
            if (onLabels && withLabels && place == at) {
                throw new IllegalStateException("label is torn");
            }
            return data.at(place, withLabels);
        }

        @Override
        public Frame samples(int place) {
            if (!onLabels && place == at) {
                throw new IllegalStateException("sample is torn");
            }
            return data.samples(place);
        }
    }

    @Test
    void shouldStopAllStagesWithCauseOfFirst() {
        for (PipelineSchedule schedule : PipelineSchedule.values()) {
            for (float norm : new float[] {0, 1}) {
                for (boolean onLabels : new boolean[] {true, false}) {
                    Combination combination = Combinations.of(schedule, 2, Combinations.PLAIN)
                            .stash()
                            .clip(norm)
                            .build();
                    try (TinyPipeline pipeline = new TinyPipeline(4, combination)) {
                        Failing data = new Failing(TinyData.of(MICRO_BATCHES), 9, onLabels);

                        assertThatExceptionOfType(StageFailedException.class)
                                .isThrownBy(() -> pipeline.pipeline.train(data))
                                .satisfies(
                                        failure -> assertThat(failure.stage()).isEqualTo(onLabels ? 3 : 0))
                                .havingCause()
                                .withMessage(onLabels ? "label is torn" : "sample is torn");
                    }
                    // Closing threw nothing: every slot and every graph was given back.
                }
            }
        }
    }

    @Test
    void shouldStopAllStagesWhenInterrupted() throws Exception {
        Combination combination = Combinations.of(PipelineSchedule.ASYNC_1F1B, 1, Combinations.PLAIN)
                .build();
        CountDownLatch isReading = new CountDownLatch(1);
        CountDownLatch mayGoOn = new CountDownLatch(1);
        MicroBatches slow = new MicroBatches() {
            private final TinyData data = TinyData.of(MICRO_BATCHES);

            @Override
            public int count() {
                return data.count();
            }

            @Override
            public MicroBatch at(int place, boolean withLabels) {
                return data.at(place, withLabels);
            }

            @Override
            public Frame samples(int place) {
                if (place == 5) {
                    isReading.countDown();
                    awaitUninterruptibly(mayGoOn);
                }
                return data.samples(place);
            }
        };
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        try (TinyPipeline pipeline = new TinyPipeline(4, combination)) {
            Thread training = new Thread(() -> {
                try {
                    pipeline.pipeline.train(slow);
                } catch (StageFailedException | InterruptedException failure) {
                    thrown.set(failure);
                }
            });
            training.start();
            isReading.await();
            training.interrupt();
            // The stage goes on only when the interruption was noticed.
            while (training.isInterrupted()) {
                Thread.onSpinWait();
            }
            mayGoOn.countDown();
            training.join();
        }
        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    @Test
    void shouldRefuseStagesOfAnotherPipeline() {
        Combination combination = Combinations.of(PipelineSchedule.ASYNC_1F1B, 1, Combinations.PLAIN)
                .build();
        try (TinyPipeline four = new TinyPipeline(4, combination)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new ThreadedPipeline(four.stages.subList(0, 3), four.norm))
                    .withMessageContaining("place 0 of 3 in the pipeline has stage 0 of 4");
        }
    }

    @Test
    void shouldRefuseStateOfAnotherStage() {
        Combination combination = Combinations.of(PipelineSchedule.ASYNC_1F1B, 1, Combinations.PLAIN)
                .build();
        try (TinyPipeline four = new TinyPipeline(4, combination);
                TinyPipeline two = new TinyPipeline(2, combination)) {
            StageState other = two.stages.get(0).state();
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> four.stages.get(0).restore(other))
                    .withMessageContaining("stage 0 has")
                    .withMessageContaining("the state has");
        }
    }
}
