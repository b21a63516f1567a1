package org.fleetgrad.benchmarks.training;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.fleetgrad.benchmarks.figures.Against;
import org.fleetgrad.benchmarks.figures.Figure;
import org.fleetgrad.benchmarks.figures.Goal;
import org.fleetgrad.benchmarks.figures.Medians;
import org.fleetgrad.benchmarks.figures.Rounds;
import org.fleetgrad.benchmarks.process.Invocation;
import org.fleetgrad.benchmarks.process.Programs;
import org.fleetgrad.benchmarks.process.Workbench;
import org.fleetgrad.datasets.shard.ShardSet;
import org.fleetgrad.datasets.synth.SyntheticDigits;
import tools.jackson.databind.JsonNode;

/** Samples a second of two workers that push every batch of 32, beside the same arithmetic with no exchange. */
public final class TrainingThroughput {

    private static final int WORKERS = 2;
    private static final int SAMPLES = 20_000;
    private static final int SAMPLES_A_WORKER = SAMPLES / WORKERS;
    private static final int BATCH = 32;
    private static final int EPOCHS = 2;

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
        LIMIT
    }

    /** Samples a second. */
    public Figure measure() throws Exception {
        Fleet fleet = fleet(bench);
        fleet.train();
        Medians<Side> medians = new Rounds<>(bench.rounds(), List.of(Side.values()))
                .medians(side -> new double[] {side == Side.OURS ? fleet.train() : compute(fleet.shards())});
        return new Figure(
                        "training",
                        "LeNet-5, 2 workers, a push every batch of 32",
                        "samples/s",
                        medians.of(Side.OURS),
                        Against.limit(medians.of(Side.LIMIT), "the same two workers' arithmetic, no exchange"))
                .withGoal(Goal.ratioAtLeast(GOAL));
    }

    /**
     * A server and two workers with a shard each.
     *
     * @param shards the workers'
     */
    public record Fleet(Programs.Server server, List<Programs.Worker> workers, List<Path> shards) {

        /** Trains for two epochs and returns the samples a second. */
        public double train() throws Exception {
            return TrainingThroughput.train(server, workers, shards, EPOCHS);
        }
    }

    /** Starts what trains. */
    public static Fleet fleet(Workbench bench) throws IOException, InterruptedException {
        ShardSet shards = ShardSet.write(
                bench.scratch("shards"),
                "digits",
                SyntheticDigits.generate(SAMPLES, 1),
                SyntheticDigits.generate(100, 2),
                WORKERS);
        Programs.Server server = bench.programs().startServerWithParameters();
        List<Programs.Worker> workers = new ArrayList<>();
        for (int i = 0; i < WORKERS; i++) {
            workers.add(bench.programs().startWorker());
        }
        for (Programs.Worker worker : workers) {
            Invocation.init(worker);
        }
        return new Fleet(server, workers, shards.train());
    }

    /** Trains each worker on its shard and returns the samples a second of all of them, none of which is lost. */
    public static double train(Programs.Server server, List<Programs.Worker> workers, List<Path> shards, int epochs)
            throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(workers.size());
        List<Future<JsonNode>> answers = new ArrayList<>();
        long before = server.client().status().samples();
        long begin = System.nanoTime();
        for (int i = 0; i < workers.size(); i++) {
            Programs.Worker worker = workers.get(i);
            Path shard = shards.get(i);
            answers.add(threads.submit(() -> Invocation.run(worker, server.address(), shard, epochs)));
        }
        long computed = 0;
        for (Future<JsonNode> answer : answers) {
            computed += answer.get().path("samples").asLong();
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        threads.shutdown();
        long samples = server.client().status().samples() - before;
        if (samples != computed) {
            throw new IllegalStateException("%d samples were applied, not %d".formatted(samples, computed));
        }
        return (double) samples / seconds;
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
