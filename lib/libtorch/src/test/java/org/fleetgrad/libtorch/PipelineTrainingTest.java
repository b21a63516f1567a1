package org.fleetgrad.libtorch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.networks.block.BlockRange;
import org.fleetgrad.optim.DecayRanges;
import org.fleetgrad.optim.Optimizer;
import org.fleetgrad.optim.OptimizerSettings;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;
import org.fleetgrad.optim.WeightPrediction;
import org.fleetgrad.pipeline.cure.Combination;
import org.fleetgrad.pipeline.cure.Combination.StagePrediction;
import org.fleetgrad.pipeline.cut.StageMemory;
import org.fleetgrad.pipeline.frame.Frame;
import org.fleetgrad.pipeline.schedule.PipelineSchedule;
import org.fleetgrad.pipeline.schedule.PipelineScheduleSettings;
import org.fleetgrad.pipeline.schedule.StagePlace;
import org.fleetgrad.pipeline.stage.MicroBatch;
import org.fleetgrad.pipeline.training.MicroBatches;
import org.fleetgrad.pipeline.training.NormSum.SharedNormSum;
import org.fleetgrad.pipeline.training.Stage;
import org.fleetgrad.pipeline.training.StageSettings;
import org.fleetgrad.pipeline.training.ThreadedPipeline;
import org.fleetgrad.pipeline.training.WindowReport;
import org.fleetgrad.pipeline.training.WindowReport.StageFigures;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.testing.SharedData;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pipelines in threads on MNIST, against plain training of the complete network on the same batches. */
@Tag("kernels")
class PipelineTrainingTest {

    private static final int SAMPLES = 16;
    private static final float RATE = 0.05f;
    private static final long SEED = 3;
    private static final OptimizerSettings SGD = new SgdSettings(0.9f, 0, false, 5e-4f);

    /** Schedules without staleness that add gradients in the same order give the same bits. */
    @ParameterizedTest
    @CsvSource({
        "lenet5, 1, ASYNC_1F1B, 1, false, false", "mnist-cnn, 1, ASYNC_1F1B, 1, true, true",
        "lenet5, 2, SEQUENTIAL, 1, false, false", "lenet5, 4, SEQUENTIAL, 1, false, true",
        "mnist-cnn, 2, SEQUENTIAL, 1, true, true", "mnist-cnn, 4, SEQUENTIAL, 1, false, false",
        "lenet5, 2, GPIPE, 4, false, true", "mnist-cnn, 4, GPIPE, 4, false, true",
        "lenet5, 4, SYNC_1F1B, 4, false, true", "mnist-cnn, 2, SYNC_1F1B, 2, false, false",
        "resnet20, 2, GPIPE, 2, false, true", "resnet20, 4, SYNC_1F1B, 4, false, false"
    })
    void shouldEndWithTheBitsOfPlainTraining(
            String name,
            int stages,
            PipelineSchedule schedule,
            int stepEvery,
            boolean isStashing,
            boolean isRecomputing)
            throws Exception {
        NetworkDefinition network = Networks.named(name, List.of(1, 28, 28), 10);
        List<TestBatch> batches = mnist(8, SAMPLES);
        PipelineScheduleSettings settings = new PipelineScheduleSettings(schedule, stepEvery, 0, false);

        List<float[]> trained = pipelined(network, batches, stages, settings, isStashing, isRecomputing);

        assertSame(trained, network, plain(network, batches, stepEvery, false));
    }

    /** GPipe's own order goes backward from the last micro-batch of a step to the first. */
    @Test
    void shouldAddGradientsInReverseUnderGpipe() throws Exception {
        NetworkDefinition network = Networks.named("lenet5", List.of(1, 28, 28), 10);
        List<TestBatch> batches = mnist(8, SAMPLES);

        List<float[]> trained =
                pipelined(network, batches, 4, PipelineScheduleSettings.of(PipelineSchedule.GPIPE, 4), false, true);

        assertSame(trained, network, plain(network, batches, 4, true));
    }

    /** T3: the mean of four micro-batches is the gradient of one batch, but for rounding. */
    @ParameterizedTest
    @CsvSource({"2", "4"})
    void shouldTrainLikeOneLargeBatchUnderGpipe(int stages) throws Exception {
        NetworkDefinition network = Networks.named("lenet5", List.of(1, 28, 28), 10);

        List<float[]> trained = pipelined(
                network,
                mnist(8, SAMPLES),
                stages,
                PipelineScheduleSettings.of(PipelineSchedule.GPIPE, 4),
                false,
                true);

        float[] whole = plain(network, mnist(2, 4 * SAMPLES), 1, false);
        List<float[]> expected = parts(network, whole, stages);
        for (int i = 0; i < stages; i++) {
            // More than eight times the most, 7.5e-9, that was seen with the kernels of any processor.
            assertThat(trained.get(i)).containsExactly(expected.get(i), within(1e-7f));
        }
    }

    @Test
    void shouldDifferFromPlainTrainingWhereThereIsStaleness() throws Exception {
        NetworkDefinition network = Networks.named("lenet5", List.of(1, 28, 28), 10);
        List<TestBatch> batches = mnist(8, SAMPLES);
        PipelineScheduleSettings async = PipelineScheduleSettings.of(PipelineSchedule.ASYNC_1F1B, 1);

        List<float[]> stale = pipelined(network, batches, 4, async, false, true);
        List<float[]> stashed = pipelined(network, batches, 4, async, true, true);

        float[] plain = plain(network, batches, 1, false);
        assertThat(stale.get(0)).isNotEqualTo(parts(network, plain, 4).get(0));
        assertThat(stale.get(0)).isNotEqualTo(stashed.get(0));
        // T4: with a stash it does not matter whether activations were kept.
        List<float[]> kept = pipelined(network, batches, 4, async, true, false);
        List<float[]> staleKept = pipelined(network, batches, 4, async, false, false);
        for (int i = 0; i < 4; i++) {
            assertThat(kept.get(i)).isEqualTo(stashed.get(i));
        }
        assertThat(staleKept.get(0)).isNotEqualTo(stale.get(0));
    }

    private static List<float[]> pipelined(
            NetworkDefinition network,
            List<TestBatch> batches,
            int count,
            PipelineScheduleSettings schedule,
            boolean isStashing,
            boolean isRecomputing)
            throws Exception {
        Combination.Builder builder = Combination.builder(schedule, SGD);
        if (isStashing) {
            builder.stash();
        }
        if (isRecomputing) {
            builder.recompute();
        }
        try (ThreadedPipeline pipeline = pipeline(network, count, builder.build())) {
            pipeline.train(window(range(network, 0, count), batches));
            return pipeline.stages().stream()
                    .map(stage -> stage.state().parameters())
                    .toList();
        }
    }

    /** The stages have as many micro-batches in flight and copies as the plan says. */
    @ParameterizedTest
    @CsvSource({
        "SEQUENTIAL, 1, false, false, false", "GPIPE, 4, false, false, true", "SYNC_1F1B, 2, false, false, false",
        "ASYNC_1F1B, 1, false, false, false", "ASYNC_1F1B, 1, true, false, true", "ASYNC_1F1B, 2, true, false, false",
        "PIPEDREAM, 3, true, false, false", "ASYNC_1F1B, 1, false, true, true", "ASYNC_1F1B, 1, false, true, false",
        "ASYNC_1F1B, 1, true, true, false", "VIRTUAL_1F1B, 1, true, false, false"
    })
    void shouldHoldWhatThePlanSays(
            PipelineSchedule schedule, int stepEvery, boolean isStashing, boolean isPredicting, boolean isRecomputing)
            throws Exception {
        NetworkDefinition network = Networks.named("lenet5", List.of(1, 28, 28), 10);
        Combination.Builder builder = Combination.builder(PipelineScheduleSettings.of(schedule, stepEvery), SGD);
        if (isStashing) {
            builder.stash();
        }
        if (isPredicting) {
            builder.predict(StagePrediction.of(WeightPrediction.Method.AGGMSNAG));
        }
        if (isRecomputing) {
            builder.recompute();
        }
        Combination combination = builder.build();
        try (ThreadedPipeline pipeline = pipeline(network, 4, combination)) {
            WindowReport report = pipeline.train(window(range(network, 0, 4), mnist(12, 2)));

            for (StageFigures figures : report.stages()) {
                StageMemory.Use use = StageMemory.Use.of(combination, new StagePlace(4, figures.stage()), 12, 0);
                assertThat(List.of(figures.mostInFlight(), figures.mostCopies()))
                        .as("stage %d", figures.stage())
                        .isEqualTo(List.of(use.microBatches(), use.versions()));
            }
        }
    }

    private static ThreadedPipeline pipeline(NetworkDefinition network, int count, Combination combination) {
        SharedNormSum norm = new SharedNormSum(count);
        List<Stage> stages = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            BlockRange range = range(network, i, count);
            int parameters = (int) range.parameters().elementCount();
            stages.add(new Stage(
                    new StageSettings(new StagePlace(count, i), combination, DecayRanges.all(parameters), step -> RATE),
                    Libtorch.stage(range, 0),
                    range.initialParameters(SEED),
                    norm,
                    System::nanoTime));
        }
        return new ThreadedPipeline(stages, norm);
    }

    private static BlockRange range(NetworkDefinition network, int stage, int count) {
        int blocks = network.blocks().size();
        return BlockRange.of(network, stage * blocks / count, (stage + 1) * blocks / count);
    }

    private static MicroBatches window(BlockRange first, List<TestBatch> batches) {
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
                return StageChain.images(first, batches.get(place), place);
            }
        };
    }

    private static float[] plain(
            NetworkDefinition network, List<TestBatch> batches, int stepEvery, boolean isReversed) {
        float[] parameters = network.initialParameters(SEED);
        Optimizer optimizer = Optimizer.create(SGD, parameters.length);
        try (Network whole = Libtorch.open(network, Device.CPU)) {
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

    private static List<float[]> parts(NetworkDefinition network, float[] whole, int count) {
        TensorSet set = TensorSet.ofFloats(network.spec().layout(), whole, Map.of());
        List<float[]> parts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            parts.add(range(network, i, count).parametersOf(set));
        }
        return parts;
    }

    private static void assertSame(List<float[]> trained, NetworkDefinition network, float[] whole) {
        List<float[]> expected = parts(network, whole, trained.size());
        for (int i = 0; i < trained.size(); i++) {
            assertThat(trained.get(i)).as("stage %d", i).isEqualTo(expected.get(i));
        }
    }

    private static List<TestBatch> mnist(int count, int samples) throws IOException {
        List<TestBatch> batches = new ArrayList<>();
        try (DataInputStream images = open("train-images-idx3-ubyte.gz", 16);
                DataInputStream labels = open("train-labels-idx1-ubyte.gz", 8)) {
            for (int batch = 0; batch < count; batch++) {
                float[] pixels = new float[samples * 784];
                for (int i = 0; i < pixels.length; i++) {
                    pixels[i] = (images.readUnsignedByte() / 255f - 0.1307f) / 0.3081f;
                }
                float[] classes = new float[samples];
                for (int i = 0; i < samples; i++) {
                    classes[i] = labels.readUnsignedByte();
                }
                batches.add(new TestBatch(pixels, classes, classes.length));
            }
        }
        return batches;
    }

    private static DataInputStream open(String file, int header) throws IOException {
        Path path = SharedData.require("data/mnist/" + file);
        DataInputStream opened = new DataInputStream(new GZIPInputStream(Files.newInputStream(path)));
        opened.skipNBytes(header);
        return opened;
    }
}
