package org.fleetgrad.benchmarks.training;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.fleetgrad.benchmarks.figures.Against;
import org.fleetgrad.benchmarks.figures.Figure;
import org.fleetgrad.benchmarks.figures.Goal;
import org.fleetgrad.benchmarks.figures.Medians;
import org.fleetgrad.benchmarks.figures.Rounds;
import org.fleetgrad.benchmarks.process.Programs;
import org.fleetgrad.benchmarks.process.Workbench;
import org.fleetgrad.benchmarks.requests.LoopbackAnswer;
import org.fleetgrad.benchmarks.requests.RequestLoad;
import org.fleetgrad.datasets.synth.SyntheticDigits;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.networks.Networks;

/**
 * Measures samples per second of two workers that push every batch of 32, compared with the same arithmetic without
 * exchange.
 */
public final class TrainingThroughput {

    private static final int WORKERS = 2;
    private static final int SAMPLES = 20_000;
    private static final int SAMPLES_A_WORKER = SAMPLES / WORKERS;
    private static final int BATCH = 32;
    /** Passes of a round: enough that the start of an activation, which is included, is a small part. */
    public static final int EPOCHS = 6;

    private static final String UNIT = "samples/s";

    /** The goal, as a share of the same arithmetic without exchange. */
    private static final double GOAL = 0.85;

    private final Workbench bench;

    /** Makes the measurement on this workbench. */
    public TrainingThroughput(Workbench bench) {
        this.bench = bench;
    }

    /** The sides of the comparison. */
    private enum Side {
        OURS,
        OVERLAP,
        /** The same bytes both ways over loopback, without the protocol. */
        BYTES,
        LIMIT
    }

    /** Returns samples per second, without overlap and with overlap. */
    public List<Figure> measure() throws Exception {
        WarmFleet fleet = fleet(bench);
        Programs.Server server = bench.programs().startServerWithParameters();
        RequestLoad exchanges = RequestLoad.exchanges(server);
        exchanges.warmUp();
        NetworkSpec network = Networks.usual("lenet5").spec();
        ComputeCeiling ceiling = new ComputeCeiling(bench, network, BATCH, EPOCHS * (SAMPLES_A_WORKER / BATCH));
        try (LoopbackAnswer loopback = new LoopbackAnswer(
                exchanges.requestBytes(), Math.toIntExact(network.layout().byteLength()))) {
            Medians<Side> medians = new Rounds<>(bench.rounds(), List.of(Side.values())).medians(side -> new double[] {
                switch (side) {
                    case OURS -> fleet.train(server, EPOCHS);
                    case OVERLAP -> overlapped(fleet, server);
                    case BYTES ->
                        ceiling.samplesPerSecond(
                                fleet.shards(),
                                loopback.address().toString(),
                                Integer.toString(exchanges.requestBytes()));
                    case LIMIT -> ceiling.samplesPerSecond(fleet.shards());
                }
            });
            return figures(medians);
        }
    }

    private static List<Figure> figures(Medians<Side> medians) {
        String what = "LeNet-5, 2 workers, a push every batch of 32";
        return List.of(
                figure("training", what, medians, Side.OURS),
                figure("training-overlap", what + ", with overlap", medians, Side.OVERLAP),
                new Figure(
                        "training-bytes",
                        what,
                        UNIT,
                        medians.of(Side.OURS),
                        Against.limit(
                                medians.of(Side.BYTES),
                                "the same arithmetic and the same bytes over loopback TCP, without any processing")));
    }

    private static Figure figure(String name, String what, Medians<Side> medians, Side side) {
        return new Figure(
                        name,
                        what,
                        UNIT,
                        medians.of(side),
                        Against.limit(medians.of(Side.LIMIT), "the same two workers' arithmetic, no exchange"))
                .withGoal(Goal.ratioAtLeast(GOAL));
    }

    private static double overlapped(WarmFleet fleet, Programs.Server server) throws Exception {
        List<RunRequest> requests = fleet.requests(server.address(), EPOCHS).stream()
                .map(request -> request.with(Map.of("overlap", true)))
                .toList();
        return WarmFleet.train(server.client(), requests);
    }

    /** Starts the two workers, with shards of generated digits. */
    public static WarmFleet fleet(Workbench bench) throws IOException, InterruptedException {
        return WarmFleet.start(bench, WORKERS, SyntheticDigits.generate(SAMPLES, 1));
    }
}
