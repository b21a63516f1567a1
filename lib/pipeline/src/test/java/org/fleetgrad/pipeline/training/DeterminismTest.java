package org.fleetgrad.pipeline.training;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.fleetgrad.optim.OptimizerSettings;
import org.fleetgrad.pipeline.cure.Combination;
import org.fleetgrad.pipeline.frame.Frame;
import org.fleetgrad.pipeline.schedule.PipelineSchedule;
import org.fleetgrad.pipeline.schedule.StageOrder.Op;
import org.fleetgrad.pipeline.schedule.StageOrder.Op.Kind;
import org.junit.jupiter.api.Test;

/** T23: the bits depend on the schedule, never on the timing of the stages. */
class DeterminismTest {

    private static final int MICRO_BATCHES = 11;

    @Test
    void shouldGiveSameBitsInThreadsAndInAnyCausalOrder() throws Exception {
        for (OptimizerSettings optimizer : Combinations.OPTIMIZERS) {
            for (Combination combination : Combinations.legal(PipelineSchedule.ASYNC_1F1B, 1, optimizer)) {
                float[] threaded = TinyPipeline.trained(4, combination, MICRO_BATCHES);

                for (int seed = 0; seed < 3; seed++) {
                    assertThat(inOneThread(combination, new Random(seed)))
                            .as("%s", combination)
                            .isEqualTo(threaded);
                }
            }
        }
    }

    /** Runs the stages in one thread; {@code random} chooses among the possible next operations. */
    private static float[] inOneThread(Combination combination, Random random)
            throws IOException, InterruptedException {
        try (TinyPipeline pipeline = new TinyPipeline(4, combination)) {
            TinyData data = TinyData.of(MICRO_BATCHES);
            List<List<Op>> orders = new ArrayList<>();
            pipeline.stages.forEach(
                    stage -> orders.add(stage.begin(MICRO_BATCHES).ops()));
            int[] done = new int[4];
            Map<String, Frame> frames = new HashMap<>();
            while (true) {
                List<Integer> ready = new ArrayList<>();
                for (int stage = 0; stage < 4; stage++) {
                    if (done[stage] < orders.get(stage).size()
                            && isReady(stage, orders.get(stage).get(done[stage]), frames)) {
                        ready.add(stage);
                    }
                }
                if (ready.isEmpty()) {
                    break;
                }
                int stage = ready.get(random.nextInt(ready.size()));
                run(pipeline.stages.get(stage), orders.get(stage).get(done[stage]++), data, frames);
            }
            pipeline.stages.forEach(Stage::flush);
            return pipeline.parameters();
        }
    }

    private static boolean isReady(int stage, Op op, Map<String, Frame> frames) {
        boolean needsFrame = op.kind() == Kind.FORWARD ? stage > 0 : stage < 3;
        return !needsFrame || frames.containsKey(key(stage, op));
    }

    private static void run(Stage stage, Op op, TinyData data, Map<String, Frame> frames)
            throws IOException, InterruptedException {
        int at = stage.place().stage();
        Optional<Frame> frame = Optional.ofNullable(frames.remove(key(at, op)));
        if (op.kind() == Kind.FORWARD) {
            Frame input = frame.orElseGet(() -> data.samples(op.microBatch()));
            stage.forward(data.at(op.microBatch(), true), input)
                    .ifPresent(output -> frames.put(key(at + 1, op), output));
        } else {
            stage.backward(frame).ifPresent(gradient -> frames.put(key(at - 1, op), gradient));
            stage.finishMicroBatch();
        }
    }

    private static String key(int stage, Op op) {
        return stage + " " + op;
    }

    /** A window ends with nothing in flight, so resuming from a saved state gives the same bits as continuing. */
    @Test
    void shouldGoOnFromFlushBitForBit() {
        for (OptimizerSettings optimizer : Combinations.OPTIMIZERS) {
            for (Combination combination : Combinations.legal(PipelineSchedule.ASYNC_1F1B, 1, optimizer)) {
                try (TinyPipeline whole = new TinyPipeline(4, combination);
                        TinyPipeline resumed = new TinyPipeline(4, combination)) {
                    whole.train(new TinyData(0, 7, 4));
                    List<StageState> saved = whole.stages.stream()
                            .map(stage -> copy(stage.state()))
                            .toList();
                    whole.train(new TinyData(7, 6, 4));

                    for (int stage = 0; stage < 4; stage++) {
                        resumed.stages.get(stage).restore(saved.get(stage));
                    }
                    resumed.train(new TinyData(7, 6, 4));

                    assertThat(resumed.parameters()).as("%s", combination).isEqualTo(whole.parameters());
                    for (int stage = 0; stage < 4; stage++) {
                        assertThat(resumed.stages.get(stage).state().state())
                                .isEqualTo(whole.stages.get(stage).state().state());
                        assertThat(resumed.stages.get(stage).state().steps()).isEqualTo(13);
                    }
                }
            }
        }
    }

    private static StageState copy(StageState state) {
        return new StageState(
                state.steps(),
                state.parameters().clone(),
                state.state().clone(),
                state.optimizer().copy());
    }
}
