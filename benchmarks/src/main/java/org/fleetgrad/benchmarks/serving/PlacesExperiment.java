package org.fleetgrad.benchmarks.serving;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import org.fleetgrad.benchmarks.inference.PredictLoad;
import org.fleetgrad.benchmarks.process.DirectInvocation;
import org.fleetgrad.benchmarks.process.Programs;
import org.fleetgrad.benchmarks.process.Workbench;
import org.fleetgrad.benchmarks.training.Accuracy;
import org.fleetgrad.benchmarks.training.HeldOut;
import org.fleetgrad.benchmarks.training.RunRequest;
import org.fleetgrad.benchmarks.training.WarmFleet;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.datasets.shard.ShardSet;
import org.fleetgrad.load.result.LoadFigures;

/**
 * Trains LeNet-5 while clients ask. A run is one training in pieces: the first warms everything up, each later one has
 * its number of clients. The same training, of the same seed, runs before and after all others without anybody asking.
 */
final class PlacesExperiment {

    private static final int WARM_UP_CLIENTS = 8;
    private static final int WARM_UP_REQUESTS = 3_000;

    /** A training, with a piece for each number of clients, and its last parameters. */
    private record Course(List<Piece> pieces, ByteBuffer parameters) {}

    /** A piece of a training, what clients saw meanwhile, if there were any, and the held-out accuracy after it. */
    private record Piece(double samplesPerSecond, Optional<LoadFigures> asked, double accuracy) {}

    /**
     * What to train and to ask.
     *
     * @param clients clients of each piece of a run; each sends its next request as soon as it has a response
     * @param samples samples of a piece, for each worker
     * @param heldOut held-out samples that clients ask about
     * @param shard   held-out samples that a replica evaluates versions on; others than those that clients ask about
     */
    record Plan(List<Serving> servings, List<Integer> clients, int samples, int heldOut, int shard) {}

    private final Workbench bench;
    private final Plan plan;
    private final ImageSamples asked;
    private final Map<Integer, ShardSet> shards = new LinkedHashMap<>();
    private final Accuracy accuracy;
    private final long seed;
    private final VoteTally votes = new VoteTally();

    PlacesExperiment(Workbench bench, Plan plan, ImageSamples train, ImageSamples test, long seed) throws IOException {
        this.bench = bench;
        this.plan = plan;
        this.seed = seed;
        this.asked = test.slice(0, plan.heldOut());
        ImageSamples evaluated = test.slice(plan.heldOut(), plan.heldOut() + plan.shard());
        for (int workers :
                plan.servings().stream().map(Serving::workers).distinct().toList()) {
            Path folder = bench.scratch("shards-" + workers);
            ImageSamples all = train.slice(0, workers * plan.samples());
            shards.put(workers, ShardSet.write(folder, "digits", all, evaluated, workers));
        }
        Normalization normalization = Normalization.of(train.slice(0, plan.samples()));
        this.accuracy = new Accuracy(HeldOut.of(asked, normalization, asked.count()));
    }

    Places measure() throws Exception {
        Map<Integer, List<Course>> alone = new LinkedHashMap<>();
        Map<Serving, Course> beside = new LinkedHashMap<>();
        addAlone(alone);
        for (Serving serving : plan.servings()) {
            Path evaluated = shardsOf(serving.workers()).test();
            boolean isVoting = serving.place() == Serving.Place.ENSEMBLE;
            beside.put(serving, run(Answerer.of(bench.programs(), serving, evaluated), isVoting));
            bench.progress("%s: done", serving.label());
        }
        addAlone(alone);
        List<Places.Figure> figures = new ArrayList<>();
        beside.forEach((serving, course) ->
                figures.addAll(figures(serving, course, alone.getOrDefault(serving.workers(), List.of()))));
        List<Double> newest = alone.values().iterator().next().get(0).pieces().stream()
                .map(Piece::accuracy)
                .toList();
        accuracy.close();
        return new Places(figures, votes.figures(), newest);
    }

    private ShardSet shardsOf(int workers) {
        return Objects.requireNonNull(shards.get(workers));
    }

    private void addAlone(Map<Integer, List<Course>> alone) throws Exception {
        for (int workers : shards.keySet()) {
            alone.computeIfAbsent(workers, unused -> new ArrayList<>())
                    .add(run(Answerer.none(bench.programs(), workers), false));
        }
        bench.progress("without any inference: done");
    }

    private Course run(Answerer programs, boolean isVoting) throws Exception {
        try {
            for (Programs.Running worker : programs.workers()) {
                DirectInvocation.init(worker);
            }
            double unused = train(programs, 0);
            Optional<PredictLoad> load = programs.asked().map(program -> new PredictLoad(program.address(), asked));
            if (load.isPresent()) {
                load.get().awaitModel();
                LoadFigures unusedFigures = load.get().asFastAsAnswered(WARM_UP_CLIENTS, WARM_UP_REQUESTS);
            }
            List<Piece> pieces = new ArrayList<>();
            for (int i = 0; i < plan.clients().size(); i++) {
                pieces.add(piece(programs, isVoting, load, i));
            }
            ByteBuffer parameters = programs.server().parameters().data();
            return new Course(pieces, parameters);
        } finally {
            programs.end();
        }
    }

    private Piece piece(Answerer programs, boolean isVoting, Optional<PredictLoad> load, int number) throws Exception {
        Callable<Double> training = () -> train(programs, number + 1);
        if (load.isEmpty()) {
            double speed = training.call();
            return new Piece(
                    speed, Optional.empty(), accuracy.of(programs.server().parameters()));
        }
        try (VoteProbe probe = new VoteProbe(programs.asked().filter(program -> isVoting), asked, votes)) {
            PredictLoad.During both = load.get().during(plan.clients().get(number), OptionalDouble.empty(), training);
            probe.stop();
            return new Piece(
                    both.value(),
                    Optional.of(both.asked()),
                    accuracy.of(programs.server().parameters()));
        }
    }

    private double train(Answerer programs, int epoch) throws Exception {
        WarmFleet fleet = new WarmFleet(
                programs.workers(), shardsOf(programs.workers().size()).train());
        List<RunRequest> requests = fleet.requests(programs.server().address(), 1);
        List<RunRequest> seeded = new ArrayList<>();
        for (int i = 0; i < requests.size(); i++) {
            seeded.add(requests.get(i).with(Map.of("seed", seed, "epoch_first", epoch, "worker", "worker-" + i)));
        }
        return WarmFleet.train(programs.server().client(), seeded);
    }

    private List<Places.Figure> figures(Serving serving, Course course, List<Course> alone) {
        boolean isSame = alone.stream().allMatch(other -> other.parameters().equals(course.parameters()));
        List<Places.Figure> figures = new ArrayList<>();
        for (int i = 0; i < plan.clients().size(); i++) {
            int number = i;
            Piece piece = course.pieces().get(i);
            LoadFigures seen = piece.asked().orElseThrow();
            figures.add(new Places.Figure(
                    serving.place().label(),
                    serving.policy(),
                    plan.clients().get(i),
                    piece.samplesPerSecond(),
                    alone.stream()
                            .mapToDouble(other -> other.pieces().get(number).samplesPerSecond())
                            .average()
                            .orElseThrow(),
                    seen.perSecond(),
                    seen.p50Ms(),
                    seen.p99Ms(),
                    seen.requests(),
                    seen.failed(),
                    seen.accuracy().orElse(0),
                    seen.versionsSeen(),
                    isSame));
        }
        return figures;
    }
}
