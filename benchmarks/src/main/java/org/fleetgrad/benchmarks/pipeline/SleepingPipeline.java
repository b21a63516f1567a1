package org.fleetgrad.benchmarks.pipeline;

import java.util.ArrayList;
import java.util.List;
import org.fleetgrad.optim.DecayRanges;
import org.fleetgrad.pipeline.cure.Combination;
import org.fleetgrad.pipeline.frame.Frame;
import org.fleetgrad.pipeline.schedule.StagePlace;
import org.fleetgrad.pipeline.stage.MicroBatch;
import org.fleetgrad.pipeline.training.MicroBatches;
import org.fleetgrad.pipeline.training.NormSum.SharedNormSum;
import org.fleetgrad.pipeline.training.Stage;
import org.fleetgrad.pipeline.training.StageSettings;
import org.fleetgrad.pipeline.training.ThreadedPipeline;
import org.fleetgrad.pipeline.training.ThreadedPipeline.StageFailedException;
import org.fleetgrad.pipeline.training.WindowReport;

/** A pipeline in threads whose stages sleep, for one window. */
public final class SleepingPipeline {

    private static final float RATE = 0.1f;

    private SleepingPipeline() {}

    /** Trains a fresh pipeline on one window. The milliseconds are those of one micro-batch on one stage. */
    public static WindowReport run(
            int stages, Combination combination, int microBatches, long forwardMillis, long backwardMillis)
            throws StageFailedException, InterruptedException {
        SharedNormSum norm = new SharedNormSum(stages);
        List<Stage> all = new ArrayList<>();
        for (int stage = 0; stage < stages; stage++) {
            StagePlace place = new StagePlace(stages, stage);
            all.add(new Stage(
                    new StageSettings(place, combination, DecayRanges.all(1), step -> RATE),
                    new SleepingNetwork(place, forwardMillis, backwardMillis),
                    new float[] {1},
                    norm,
                    System::nanoTime));
        }
        try (ThreadedPipeline pipeline = new ThreadedPipeline(all, norm)) {
            return pipeline.train(new Same(microBatches));
        }
    }

    private record Same(int count) implements MicroBatches {

        @Override
        public MicroBatch at(int place, boolean withLabels) {
            return new MicroBatch(place, place, new float[withLabels ? 1 : 0]);
        }

        @Override
        public Frame samples(int place) {
            return Frame.activation(place, new float[1], 1, 1);
        }
    }
}
