package org.fleetgrad.worker.stage;

import java.io.IOException;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;
import org.fleetgrad.datasets.augment.Augmentation;
import org.fleetgrad.files.DurableFolder;
import org.fleetgrad.files.Sha256;
import org.fleetgrad.libtorch.Libtorch;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.networks.block.BlockRange;
import org.fleetgrad.optim.Cores;
import org.fleetgrad.optim.DecayRanges;
import org.fleetgrad.optim.OptimizerSpec;
import org.fleetgrad.optim.ScheduleSpec;
import org.fleetgrad.pipeline.cure.Combination;
import org.fleetgrad.pipeline.run.BatchOrder;
import org.fleetgrad.pipeline.run.FlushPart;
import org.fleetgrad.pipeline.run.StageConfiguration;
import org.fleetgrad.pipeline.run.StageMessage;
import org.fleetgrad.pipeline.run.Windows;
import org.fleetgrad.pipeline.run.Windows.Window;
import org.fleetgrad.pipeline.schedule.StagePlace;
import org.fleetgrad.pipeline.stage.StageNetwork;
import org.fleetgrad.pipeline.timeline.Span;
import org.fleetgrad.pipeline.timeline.Span.Activity;
import org.fleetgrad.pipeline.training.NormSum;
import org.fleetgrad.pipeline.training.Stage;
import org.fleetgrad.pipeline.training.StageLoop;
import org.fleetgrad.pipeline.training.StageLoop.StageLinks;
import org.fleetgrad.pipeline.training.StageSettings;
import org.fleetgrad.pipeline.training.WindowReport.StageFigures;
import org.fleetgrad.protocol.tensor.DType;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.worker.action.ProcessMemory;

/** What a stage computes: its blocks, its weights, its data. For one thread. */
final class StageWork implements AutoCloseable {

    /** Enough to plot the warm-up and some of the steady state. */
    private static final int SPANS = 240;

    private final StageConfiguration configuration;
    private final BlockRange range;
    private final Stage stage;
    private final ShardBatches batches;

    private StageWork(StageConfiguration configuration, BlockRange range, Stage stage, ShardBatches batches) {
        this.configuration = configuration;
        this.range = range;
        this.stage = stage;
        this.batches = batches;
    }

    /** Opens only the stage's blocks, with their part of the weights. */
    static StageWork open(StageConfiguration configuration, NormSum norm) throws IOException {
        // The stages share one machine, as threads or processes, and the same thread trains later.
        Cores.shareAmong(configuration.stages());
        BlockRange range = BlockRange.of(
                Networks.named(configuration.network()), configuration.fromBlock(), configuration.toBlock());
        BatchOrder order = new BatchOrder(
                configuration.samples(),
                configuration.microBatch(),
                !range.network().spec().state().isEmpty());
        Windows windows = new Windows(
                order, configuration.cures().stepEvery(), configuration.flushEvery(), configuration.epochs(), 0);
        OptimizerSpec optimizer = OptimizerSpec.parse(configuration.optimizer());
        Combination combination = configuration.cures().combination(optimizer.settings());
        StageSettings settings = new StageSettings(
                new StagePlace(configuration.stages(), configuration.stage()),
                combination,
                decayed(range.parameters(), optimizer),
                windows.rates(
                        ScheduleSpec.parse(configuration.schedule()).startingAt((float) configuration.learningRate())));
        Augmentation augmentation = Augmentation.named(configuration.augmentation())
                .orElseThrow(() -> new IllegalArgumentException(
                        "there is no augmentation '%s'".formatted(configuration.augmentation())));
        Stage stage = stage(configuration, settings, range, norm);
        return new StageWork(
                configuration, range, stage, new ShardBatches(range.isFirst(), order, configuration, augmentation));
    }

    private static DecayRanges decayed(TensorLayout parameters, OptimizerSpec optimizer) {
        BitSet undecayed = new BitSet();
        for (int i = 0; optimizer.isMatricesOnly() && i < parameters.size(); i++) {
            TensorSpec tensor = parameters.specs().get(i);
            if (tensor.shape().size() < 2) {
                int begin = Math.toIntExact(parameters.byteOffset(i) / DType.F32.bytes());
                undecayed.set(begin, begin + Math.toIntExact(tensor.elementCount()));
            }
        }
        return DecayRanges.without(Math.toIntExact(parameters.elementCount()), undecayed);
    }

    private static Stage stage(StageConfiguration configuration, StageSettings settings, BlockRange range, NormSum norm)
            throws IOException {
        StageNetwork network = Libtorch.stage(range, (float) configuration.labelSmoothing());
        String kind = configuration.beginning().kind();
        Path file = Path.of(configuration.beginning().file());
        switch (kind) {
            case "drawn" -> {
                return new Stage(
                        settings, network, range.initialParameters(configuration.seed()), norm, System::nanoTime);
            }
            case "model" -> {
                TensorSet set = FlushPart.open(file);
                network.writeState(range.stateOf(set));
                return new Stage(settings, network, range.parametersOf(set), norm, System::nanoTime);
            }
            case "flush" -> {
                var state = FlushPart.read(file, range);
                Stage stage = new Stage(settings, network, state.parameters(), norm, System::nanoTime);
                stage.restore(state);
                return stage;
            }
            default -> throw new IllegalArgumentException("weights cannot begin from '%s'".formatted(kind));
        }
    }

    BlockRange range() {
        return range;
    }

    /** Trains on a window, writes its part of the flush, and reports figures of the window. */
    StageMessage.Flushed train(StageMessage.Train order, StageLinks links, LongConsumer onLabels)
            throws IOException, InterruptedException {
        Window window = order.window();
        StageFigures figures = new StageLoop(stage, links).run(batches.of(window, onLabels));
        if (stage.place().isLast() && !Double.isFinite(figures.meanLoss())) {
            throw new IllegalStateException(
                    "the loss of micro-batches %d to %d is %s: training has diverged; try a smaller learning rate"
                            .formatted(window.from(), window.end() - 1, figures.meanLoss()));
        }
        Path folder = Path.of(configuration.flushes()).resolve("flush-%06d".formatted(order.flush()));
        DurableFolder.create(folder);
        Path file = folder.resolve(FlushPart.fileName(configuration.stage()));
        long bytes = FlushPart.write(file, range, stage.state());
        StageMessage.Part part = new StageMessage.Part(String.valueOf(file.getFileName()), bytes, Sha256.of(file));
        return new StageMessage.Flushed(part, figures(figures));
    }

    private StageMessage.WindowFigures figures(StageFigures figures) {
        List<Span> spans = stage.spans();
        return new StageMessage.WindowFigures(
                figures,
                staleness(spans).max().orElse(0),
                staleness(spans).sum(),
                spans.stream().mapToLong(Span::duration).sum(),
                spans.isEmpty() ? 0 : spans.get(0).start(),
                spans.isEmpty() ? 0 : spans.get(spans.size() - 1).end(),
                ProcessMemory.peakMebibytes().orElse(0),
                spans.stream().limit(SPANS).toList());
    }

    private static LongStream staleness(List<Span> spans) {
        return spans.stream()
                .filter(span -> span.activity() == Activity.BACKWARD)
                .mapToLong(Span::staleness);
    }

    @Override
    public void close() {
        stage.close();
    }
}
