package org.fleetgrad.benchmarks.training;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.fleetgrad.benchmarks.figures.Against;
import org.fleetgrad.benchmarks.figures.Figure;
import org.fleetgrad.benchmarks.figures.Goal;
import org.fleetgrad.benchmarks.figures.Medians;
import org.fleetgrad.benchmarks.figures.Rounds;
import org.fleetgrad.benchmarks.process.Programs;
import org.fleetgrad.benchmarks.process.Workbench;
import org.fleetgrad.benchmarks.requests.RequestLoad;
import org.fleetgrad.datasets.synth.SyntheticDigits;

/** Samples a second of two workers that push every batch of 32, beside the same arithmetic with no exchange. */
public final class TrainingThroughput {

    private static final int WORKERS = 2;
    private static final int SAMPLES = 20_000;
    private static final int SAMPLES_A_WORKER = SAMPLES / WORKERS;
    private static final int BATCH = 32;
    /** Passes of a round: so many that an activation's beginning, which is in it, is a small part. */
    public static final int EPOCHS = 6;

    private static final int WARM_UPS = 12;

    /** Of what the same arithmetic reaches with no exchange. */
    private static final double GOAL = 0.85;

    private final Workbench bench;

    /** Measures on this workbench. */
    public TrainingThroughput(Workbench bench) {
        this.bench = bench;
    }

    /** The two that take turns. */
    private enum Side {
        OURS,
        OVERLAP,
        LIMIT
    }

    /** Samples a second: as they are, and of workers that compute while a gradient travels. */
    public List<Figure> measure() throws Exception {
        Fleet fleet = fleet(bench);
        Programs.Server server = bench.programs().startServerWithParameters();
        warm(server);
        Medians<Side> medians = new Rounds<>(bench.rounds(), List.of(Side.values())).medians(side -> new double[] {
            switch (side) {
                case OURS -> fleet.train(server, EPOCHS);
                case OVERLAP -> overlapped(fleet, server);
                case LIMIT -> compute(fleet.shards());
            }
        });
        String what = "LeNet-5, 2 workers, a push every batch of 32";
        return List.of(
                figure("training", what, medians, Side.OURS),
                figure("training-overlap", what + ", computing while it travels", medians, Side.OVERLAP));
    }

    /**
     * Makes the server what it is after its first minutes: what the JIT compiles in them costs as much processor time as
     * thousands of exchanges do.
     */
    private static void warm(Programs.Server server) throws Exception {
        RequestLoad load = RequestLoad.exchanges(server);
        for (int i = 0; i < WARM_UPS; i++) {
            double unused = load.perSecond();
        }
    }

    private static Figure figure(String name, String what, Medians<Side> medians, Side side) {
        return new Figure(
                        name,
                        what,
                        "samples/s",
                        medians.of(side),
                        Against.limit(medians.of(Side.LIMIT), "the same two workers' arithmetic, no exchange"))
                .withGoal(Goal.ratioAtLeast(GOAL));
    }

    private static double overlapped(Fleet fleet, Programs.Server server) throws Exception {
        List<Assignment> assignments = fleet.assignments(server.address(), EPOCHS).stream()
                .map(assignment -> assignment.with(Map.of("overlap", true)))
                .toList();
        return Fleet.train(server.client(), assignments);
    }

    /** Starts the two workers, with shards of generated digits. */
    public static Fleet fleet(Workbench bench) throws IOException, InterruptedException {
        return Fleet.start(bench, WORKERS, SyntheticDigits.generate(SAMPLES, 1));
    }

    private double compute(List<Path> shards) throws IOException, InterruptedException {
        List<Process> processes = new ArrayList<>();
        List<BufferedReader> outputs = new ArrayList<>();
        for (int i = 0; i < WORKERS; i++) {
            Process process = bench.programs()
                    .startLikeWorker(
                            ComputeOnly.class,
                            shards.get(i).toString(),
                            Integer.toString(BATCH),
                            Integer.toString(EPOCHS * (SAMPLES_A_WORKER / BATCH)));
            processes.add(process);
            outputs.add(new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)));
        }
        for (BufferedReader output : outputs) {
            output.readLine();
        }
        for (Process process : processes) {
            process.getOutputStream().write('\n');
            process.getOutputStream().flush();
        }
        double samplesPerSecond = 0;
        for (BufferedReader output : outputs) {
            String[] figures = String.valueOf(output.readLine()).split(" ");
            samplesPerSecond += Double.parseDouble(figures[0]) / (Double.parseDouble(figures[1]) / 1e9);
        }
        for (Process process : processes) {
            process.waitFor();
        }
        return samplesPerSecond;
    }
}
