package org.fleetgrad.benchmarks.training;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.fleetgrad.benchmarks.figures.Comparison;
import org.fleetgrad.benchmarks.figures.Figure;
import org.fleetgrad.benchmarks.figures.Result;
import org.fleetgrad.benchmarks.figures.Result.Missing;
import org.fleetgrad.benchmarks.process.Workbench;
import org.fleetgrad.benchmarks.rivals.Ddp;
import org.fleetgrad.benchmarks.rivals.PythonScript;

/** Measures two workers on ResNet-18, compared with the same arithmetic without exchange, and with PyTorch DDP. */
public record NetworkTraining(Workbench bench) {

    private static final int BATCHES = 24;
    private static final double OF_CEILING = 0.95;
    private static final String WHAT = "training, ResNet-18 at 32×32, 2 workers, a push every batch of 32";
    private static final String UNIT = "samples/s";

    private enum Side {
        OURS,
        LIMIT,
        DDP
    }

    public List<Result> measure() throws Exception {
        Optional<String> missing = PythonScript.missing("torch");
        List<Side> sides = missing.isPresent() ? List.of(Side.OURS, Side.LIMIT) : List.of(Side.values());
        LargeFleet fleet = LargeFleet.start(bench, BATCHES);
        ComputeCeiling ceiling = new ComputeCeiling(bench, fleet.spec(), RunRequest.BATCH, BATCHES);
        WarmFleet.train(fleet.server().client(), fleet.requests());
        Optional<Ddp.Ranks> ddp =
                missing.isPresent() ? Optional.empty() : Optional.of(new Ddp.Ranks(bench, "resnet18", BATCHES));
        if (ddp.isPresent()) {
            double unused = ddp.get().samplesPerSecond();
        }
        Comparison<Side> comparison = bench.compare(sides, side -> switch (side) {
            case OURS -> WarmFleet.train(fleet.server().client(), fleet.requests());
            case LIMIT -> ceiling.measure(fleet.workers().shards())[0];
            case DDP -> ddp.orElseThrow().samplesPerSecond();
        });
        List<Result> results = new ArrayList<>();
        results.add(Figure.of("training-resnet18", WHAT)
                .ours(comparison.of(Side.OURS), UNIT)
                .limit(comparison.of(Side.LIMIT), "the same two workers' arithmetic, no exchange")
                .ratioAtLeast(OF_CEILING));
        results.add(missing.<Result>map(reason -> Missing.skipped("ddp-resnet18", reason))
                .orElseGet(() -> Figure.of("ddp-resnet18", WHAT)
                        .ours(comparison.of(Side.OURS), UNIT)
                        .rival(
                                comparison.of(Side.DDP),
                                "PyTorch DDP over gloo, 2 processes, samples in memory, no loader")
                        .ratioAtLeast(1)));
        return results;
    }
}
