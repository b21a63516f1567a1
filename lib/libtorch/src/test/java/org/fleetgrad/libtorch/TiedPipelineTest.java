package org.fleetgrad.libtorch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.lang.reflect.Proxy;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.networks.block.BlockRange;
import org.fleetgrad.optim.DecayRanges;
import org.fleetgrad.optim.Optimizer;
import org.fleetgrad.optim.OptimizerSettings;
import org.fleetgrad.optim.OptimizerSettings.AdamSettings;
import org.fleetgrad.optim.OptimizerSettings.AdamWSettings;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;
import org.fleetgrad.optim.WeightPrediction.Method;
import org.fleetgrad.pipeline.cure.Combination;
import org.fleetgrad.pipeline.cure.Combination.StagePrediction;
import org.fleetgrad.pipeline.cure.GapPenalty;
import org.fleetgrad.pipeline.frame.Frame;
import org.fleetgrad.pipeline.schedule.PipelineSchedule;
import org.fleetgrad.pipeline.schedule.PipelineScheduleSettings;
import org.fleetgrad.pipeline.schedule.StagePlace;
import org.fleetgrad.pipeline.stage.MicroBatch;
import org.fleetgrad.pipeline.stage.StageNetwork;
import org.fleetgrad.pipeline.stage.StageNetwork.Graph;
import org.fleetgrad.pipeline.stage.StageNetwork.StageActivation;
import org.fleetgrad.pipeline.stage.StageNetwork.WeightSlot;
import org.fleetgrad.pipeline.stage.TiedTensor;
import org.fleetgrad.pipeline.timeline.Span;
import org.fleetgrad.pipeline.timeline.Span.Activity;
import org.fleetgrad.pipeline.training.MicroBatches;
import org.fleetgrad.pipeline.training.NormSum.SharedNormSum;
import org.fleetgrad.pipeline.training.Stage;
import org.fleetgrad.pipeline.training.StageSettings;
import org.fleetgrad.pipeline.training.ThreadedPipeline;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pipelines over GPT-2 with tied weights, whose token embedding the first and the last stage use. */
@Tag("kernels")
class TiedPipelineTest {

    private static final NetworkDefinition NETWORK =
            Networks.usual("gpt2?context=6&dropout=0.2&heads=2&layers=2&tied=yes&vocabulary=11&width=8");
    private static final String TENSOR = "transformer.wte.weight";
    private static final float RATE = 0.05f;
    private static final long SEED = 3;
    static final OptimizerSettings SGD = new SgdSettings(0.9f, 0, false, 0);
    static final OptimizerSettings ADAM = new AdamSettings(0.9f, 0.999f, 1e-8f, 0, false);
    static final OptimizerSettings ADAMW = new AdamWSettings(0.9f, 0.999f, 1e-8f, 0.01f, false);

    /** With six stages the last one has the logits alone, and no parameters of its own. */
    @ParameterizedTest
    @CsvSource({
        "2, SEQUENTIAL, 1, false, 0", "4, SEQUENTIAL, 1, true, 0", "2, SEQUENTIAL, 4, false, 0",
        "2, GPIPE, 4, true, 0", "4, GPIPE, 4, true, 0", "4, SYNC_1F1B, 4, false, 0",
        "6, SYNC_1F1B, 2, true, 0", "2, GPIPE, 4, true, 0.1", "4, SYNC_1F1B, 2, true, 0.1"
    })
    void shouldEndWithTheBitsOfOneProcess(
            int stages, PipelineSchedule schedule, int stepEvery, boolean isRecomputing, float largestNorm)
            throws Exception {
        PipelineScheduleSettings settings =
                new PipelineScheduleSettings(schedule, stepEvery, 0, schedule == PipelineSchedule.GPIPE);
        Combination.Builder builder = Combination.builder(settings, ADAMW).clip(largestNorm);
        Combination combination = isRecomputing ? builder.recompute().build() : builder.build();
        List<TestBatch> batches = batches(8);

        List<float[]> trained = trained(stages, combination, batches);

        if (largestNorm == 0) {
            assertThat(trained)
                    .usingElementComparator(Arrays::compare)
                    .isEqualTo(parts(stages, plain(batches, stepEvery, settings.lastFirst())));
        } else {
            // The norm is added up stage by stage, so it is that of one stage but for rounding: the tensor counts once.
            List<float[]> alone = trained(1, combination, batches);
            List<float[]> expected = parts(stages, alone.get(0));
            for (int i = 0; i < stages; i++) {
                assertThat(trained.get(i)).containsExactly(expected.get(i), within(1e-6f));
            }
        }
    }

    /** The formula of stashed training, as a loop: each gradient is that of old weights, the copy's of the first stage's. */
    @ParameterizedTest
    @CsvSource({"2", "4"})
    void shouldUseTheFirstStagesOldWeightsInTheLastUnder1f1b(int stages) throws Exception {
        List<TestBatch> batches = batches(10);
        Combination stashed = Combination.builder(PipelineScheduleSettings.of(PipelineSchedule.ASYNC_1F1B, 1), ADAM)
                .stash()
                .build();

        assertThat(trained(stages, stashed, batches))
                .usingElementComparator(Arrays::compare)
                .isEqualTo(delayed(stages, batches));
    }

    @Test
    void shouldShowTheAgeOfTheCopyAsStalenessOfTheLastStage() throws Exception {
        Combination stale = Combination.builder(PipelineScheduleSettings.of(PipelineSchedule.ASYNC_1F1B, 1), SGD)
                .build();
        try (ThreadedPipeline pipeline = pipeline(4, stale)) {
            pipeline.train(window(batches(8)));

            assertThat(staleness(pipeline, 0)).containsExactly(0, 1, 2, 3, 3, 3, 3, 3);
            assertThat(staleness(pipeline, 2)).containsExactly(0, 1, 1, 1, 1, 1, 1, 1);
            assertThat(staleness(pipeline, 3)).containsExactly(0, 1, 2, 3, 3, 3, 3, 3);
        }
    }

    private static List<Integer> staleness(ThreadedPipeline pipeline, int stage) {
        return pipeline.stages().get(stage).spans().stream()
                .filter(span -> span.activity() == Activity.BACKWARD)
                .map(Span::staleness)
                .toList();
    }

    /** The copy is predicted like the first stage's weights: nearer to the values that its gradient will change. */
    @Test
    void shouldPredictTheCopyWithTheMomentumOfTheFirstStage() throws Exception {
        Combination predicting = Combination.builder(PipelineScheduleSettings.of(PipelineSchedule.ASYNC_1F1B, 1), ADAM)
                .predict(StagePrediction.of(Method.MSNAG))
                .build();
        List<float[]> versions = new ArrayList<>();
        List<float[]> copies = new ArrayList<>();
        float[] weights = range(0, 4).initialParameters(SEED);
        int offset = TiedTensor.of(range(0, 4)).orElseThrow().offset();
        int count = TiedTensor.of(range(0, 4)).orElseThrow().count();
        versions.add(Arrays.copyOfRange(weights, offset, offset + count));
        // A step clears the gradient when it has changed the weights, which are this array.
        Consumer<Object> afterStep = unused -> versions.add(Arrays.copyOfRange(weights, offset, offset + count));
        Consumer<Object> onCopy = values -> {
            float[] copy = new float[count];
            ((FloatBuffer) values).duplicate().get(copy);
            copies.add(copy);
        };
        SharedNormSum norm = new SharedNormSum(4);
        List<Stage> stages = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            BlockRange range = range(i, 4);
            StageNetwork network = Libtorch.stage(range, 0);
            stages.add(new Stage(
                    settings(i, 4, predicting),
                    i == 0
                            ? heard(network, "clearGradient", afterStep)
                            : i == 3 ? heard(network, "writeTied", onCopy) : network,
                    i == 0 ? weights : range.initialParameters(SEED),
                    norm,
                    System::nanoTime));
        }
        List<TestBatch> two = batches(2);
        List<TestBatch> batches =
                IntStream.range(0, 40).mapToObj(i -> two.get(i % 2)).toList();
        try (ThreadedPipeline pipeline = new ThreadedPipeline(stages, norm)) {
            pipeline.train(window(batches));
        }

        double predicted = 0;
        double old = 0;
        for (int i = 3; i < 40; i++) {
            predicted += distance(copies.get(i), versions.get(i));
            old += distance(versions.get(i - 3), versions.get(i));
        }
        assertThat(predicted).isLessThan(0.8 * old);
    }

    /** A network that reports the first argument of each call of one of its methods. */
    private static StageNetwork heard(StageNetwork network, String name, Consumer<Object> listener) {
        return (StageNetwork) Proxy.newProxyInstance(
                StageNetwork.class.getClassLoader(),
                new Class<?>[] {StageNetwork.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals(name)) {
                        listener.accept(arguments == null ? name : arguments[0]);
                    }
                    return method.invoke(network, arguments);
                });
    }

    private static double distance(float[] one, float[] other) {
        double squares = 0;
        for (int i = 0; i < one.length; i++) {
            squares += Math.pow(one[i] - other[i], 2);
        }
        return Math.sqrt(squares);
    }

    /** Training that is stopped at a flush and restored goes on with the same bits; the last stage stores no copy. */
    @Test
    void shouldContinueFromAFlushWithTheSameBits() throws Exception {
        Combination combination = Combination.builder(
                        PipelineScheduleSettings.of(PipelineSchedule.ASYNC_1F1B, 1), ADAMW)
                .stash()
                .predict(StagePrediction.of(Method.AGGMSNAG))
                .penalizeGap(GapPenalty.customary())
                .build();
        List<TestBatch> batches = batches(8);
        try (ThreadedPipeline once = pipeline(2, combination);
                ThreadedPipeline again = pipeline(2, combination)) {
            once.train(window(batches));
            for (int i = 0; i < 2; i++) {
                again.stages().get(i).restore(once.stages().get(i).state());
            }
            once.train(window(batches));
            again.train(window(batches));

            for (int i = 0; i < 2; i++) {
                assertThat(again.stages().get(i).state().parameters())
                        .isEqualTo(once.stages().get(i).state().parameters());
            }
            assertThat(range(1, 2).parameters().indexOf(TENSOR)).isEmpty();
        }
    }

    static List<float[]> trained(int stages, Combination combination, List<TestBatch> batches) throws Exception {
        try (ThreadedPipeline pipeline = pipeline(stages, combination)) {
            pipeline.train(window(batches));
            return pipeline.stages().stream()
                    .map(stage -> stage.state().parameters())
                    .toList();
        }
    }

    static ThreadedPipeline pipeline(int count, Combination combination) {
        SharedNormSum norm = new SharedNormSum(count);
        List<Stage> stages = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            BlockRange range = range(i, count);
            stages.add(new Stage(
                    settings(i, count, combination),
                    Libtorch.stage(range, 0),
                    range.initialParameters(SEED),
                    norm,
                    System::nanoTime));
        }
        return new ThreadedPipeline(stages, norm);
    }

    private static StageSettings settings(int stage, int count, Combination combination) {
        int parameters = (int) range(stage, count).parameters().elementCount();
        return new StageSettings(new StagePlace(count, stage), combination, DecayRanges.all(parameters), step -> RATE);
    }

    static BlockRange range(int stage, int count) {
        int blocks = NETWORK.blocks().size();
        return BlockRange.of(NETWORK, stage * blocks / count, (stage + 1) * blocks / count);
    }

    static MicroBatches window(List<TestBatch> batches) {
        return new MicroBatches() {
            @Override
            public int count() {
                return batches.size();
            }

            @Override
            public MicroBatch at(int place, boolean withLabels) {
                return new MicroBatch(
                        place, place, withLabels ? batches.get(place).labels() : new float[0]);
            }

            @Override
            public Frame samples(int place) {
                return StageChain.images(BlockRange.whole(NETWORK), batches.get(place), place);
            }
        };
    }

    private static float[] plain(List<TestBatch> batches, int stepEvery, boolean isReversed) {
        float[] parameters = NETWORK.initialParameters(SEED);
        Optimizer optimizer = Optimizer.create(ADAMW, parameters.length);
        try (Network whole = Libtorch.open(NETWORK, Device.CPU)) {
            for (int step = 0; step < batches.size(); step += stepEvery) {
                TestBatch.load(whole, parameters);
                for (int i = 0; i < stepEvery; i++) {
                    int index = isReversed ? step + stepEvery - 1 - i : step + i;
                    TestBatch batch = batches.get(index);
                    whole.accumulate(batch.images(), batch.labels(), batch.count(), index, 0);
                }
                // A power of two, so that it does not matter whether each gradient is scaled or their sum.
                optimizer.step(parameters, TestBatch.drain(whole, 1f / stepEvery), RATE);
            }
        }
        return parameters;
    }

    private static List<float[]> delayed(int count, List<TestBatch> batches) {
        List<StageNetwork> networks = new ArrayList<>();
        List<List<float[]>> versions = new ArrayList<>();
        List<Optimizer> optimizers = new ArrayList<>();
        for (int stage = 0; stage < count; stage++) {
            BlockRange range = range(stage, count);
            networks.add(Libtorch.stage(range, 0));
            versions.add(new ArrayList<>(List.of(range.initialParameters(SEED))));
            optimizers.add(Optimizer.create(ADAM, (int) range.parameters().elementCount()));
        }
        for (int i = 0; i < batches.size(); i++) {
            MicroBatch batch = new MicroBatch(i, i, batches.get(i).labels());
            List<StageActivation> activations = new ArrayList<>();
            List<WeightSlot> slots = new ArrayList<>();
            Frame frame = StageChain.images(range(0, count), batches.get(i), i);
            float[] ofFirst = versions.get(0).get(Math.max(0, i - (count - 1)));
            TiedTensor tied = networks.get(0).tied().orElseThrow();
            networks.get(count - 1).writeTied(FloatBuffer.wrap(ofFirst, tied.offset(), tied.count()));
            for (int stage = 0; stage < count; stage++) {
                float[] old = versions.get(stage).get(Math.max(0, i - (count - 1 - stage)));
                slots.add(networks.get(stage).allocate(old));
                StageActivation activation =
                        networks.get(stage).forward(slots.get(stage), batch, frame, Graph.RETAINED);
                activations.add(activation);
                frame = stage + 1 < count ? activation.output() : frame;
            }
            Optional<Frame> gradient = networks.get(count - 1).backwardFromLoss(activations.get(count - 1), 1);
            networks.get(0).addTied(FloatBuffer.wrap(networks.get(count - 1).tiedGradient()));
            for (int stage = count - 2; stage >= 0; stage--) {
                gradient = networks.get(stage).backward(activations.get(stage), gradient.orElseThrow());
            }
            for (int stage = 0; stage < count; stage++) {
                float[] next = versions.get(stage).get(i).clone();
                optimizers.get(stage).step(next, networks.get(stage).gradient(), RATE);
                networks.get(stage).clearGradient();
                versions.get(stage).add(next);
                slots.get(stage).close();
            }
        }
        networks.forEach(StageNetwork::close);
        return versions.stream().map(all -> all.get(all.size() - 1)).toList();
    }

    private static List<float[]> parts(int count, float[] whole) {
        TensorSet set = TensorSet.ofFloats(NETWORK.spec().layout(), whole, Map.of());
        return IntStream.range(0, count)
                .mapToObj(stage -> range(stage, count).parametersOf(set))
                .toList();
    }

    static List<TestBatch> batches(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> TestBatch.random(NETWORK.spec(), 3, i))
                .toList();
    }
}
