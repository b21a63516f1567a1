package org.fleetgrad.benchmarks.training;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.fleetgrad.benchmarks.exchange.LoopbackAnswer;
import org.fleetgrad.benchmarks.exchange.RequestLoad;
import org.fleetgrad.benchmarks.figures.Comparison;
import org.fleetgrad.benchmarks.figures.Figure;
import org.fleetgrad.benchmarks.figures.Result;
import org.fleetgrad.benchmarks.process.Programs;
import org.fleetgrad.benchmarks.process.Workbench;
import org.fleetgrad.datasets.synth.SyntheticDigits;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.networks.Networks;

/** Measures two workers that push every batch of 32, compared with the same arithmetic without exchange. */
public record TrainingThroughput(Workbench bench) {

    private static final int WORKERS = 2;
    private static final int SAMPLES = 20_000;
    /** Passes of a round: enough that the start of an activation, which is included, is a small part. */
    public static final int EPOCHS = 6;

    private static final String UNIT = "samples/s";

    private enum Side {
        OURS,
        OVERLAP,
        /** The same bytes both ways over loopback, without the protocol. */
        BYTES,
        LIMIT
    }

    public List<Result> measure() throws Exception {
        WarmFleet fleet = fleet(bench);
        Programs.Server server = bench.programs().startServerWithParameters();
        RequestLoad exchanges = RequestLoad.pushes(server, true);
        exchanges.warmUp();
        PushCost cost = new PushCost(server, fleet);
        NetworkSpec network = Networks.usual("lenet5").spec();
        ComputeCeiling ceiling =
                new ComputeCeiling(bench, network, RunRequest.BATCH, EPOCHS * (SAMPLES / WORKERS / RunRequest.BATCH));
        try (LoopbackAnswer loopback = new LoopbackAnswer(
                exchanges.requestBytes(), Math.toIntExact(network.layout().byteLength()))) {
            String address = loopback.address().toString();
            String bytes = Integer.toString(exchanges.requestBytes());
            return figures(bench.compareAll(List.of(Side.values()), side -> switch (side) {
                case OURS -> cost.measure(() -> fleet.train(server, EPOCHS));
                case OVERLAP -> new double[] {overlapped(fleet, server)};
                case BYTES -> ceiling.measure(fleet.shards(), address, bytes);
                case LIMIT -> ceiling.measure(fleet.shards());
            }));
        }
    }

    private static List<Result> figures(Comparison<Side> comparison) {
        String what = "LeNet-5, 2 workers, a push every batch of 32";
        List<Result> figures = new ArrayList<>();
        figures.add(figure("training", what, comparison, Side.OURS, 0.85));
        figures.add(figure("training-overlap", what + ", with overlap", comparison, Side.OVERLAP, 0.90));
        figures.add(Figure.of("training-bytes", what)
                .ours(comparison.of(Side.OURS), UNIT)
                .limit(
                        comparison.of(Side.BYTES),
                        "the same arithmetic and the same bytes over loopback TCP, without any processing"));
        figures.addAll(PushCost.figures(column -> comparison.of(Side.OURS, 1 + column), comparison.of(Side.LIMIT, 1)));
        return figures;
    }

    private static Figure figure(String name, String what, Comparison<Side> comparison, Side side, double goal) {
        return Figure.of(name, what)
                .ours(comparison.of(side), UNIT)
                .limit(comparison.of(Side.LIMIT), "the same two workers' arithmetic, no exchange")
                .ratioAtLeast(goal);
    }

    private static double overlapped(WarmFleet fleet, Programs.Server server) throws Exception {
        List<RunRequest> requests = fleet.requests(server.address(), EPOCHS).stream()
                .map(request -> request.with(Map.of("overlap", true)))
                .toList();
        return WarmFleet.train(server.client(), requests);
    }

    /** Starts the two workers, with shards of generated digits. */
    public static WarmFleet fleet(Workbench bench) throws Exception {
        return WarmFleet.start(bench, WORKERS, SyntheticDigits.generate(SAMPLES, 1));
    }
}
