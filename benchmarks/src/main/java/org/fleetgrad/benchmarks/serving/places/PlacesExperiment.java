package org.fleetgrad.benchmarks.serving.places;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.fleetgrad.benchmarks.inference.PredictLoad;
import org.fleetgrad.benchmarks.process.DirectInvocation;
import org.fleetgrad.benchmarks.process.Programs;
import org.fleetgrad.benchmarks.process.Workbench;
import org.fleetgrad.benchmarks.training.Accuracy;
import org.fleetgrad.benchmarks.training.RunRequest;
import org.fleetgrad.benchmarks.training.WarmFleet;
import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.datasets.Samples;
import org.fleetgrad.datasets.shard.ShardSet;
import org.fleetgrad.load.result.LoadFigures;
import org.jspecify.annotations.Nullable;

/**
 * Trains LeNet-5 while clients ask. A run is one training in pieces: the first warms everything up, each later one has its number of
 * clients. The same training, of the same seed, runs before and after all others without anybody asking.
 */
public final class PlacesExperiment {

    private static final int WARM_UP_CLIENTS = 8;
    private static final int WARM_UP_REQUESTS = 3_000;

    /**
     * A training from its beginning to its end.
     *
     * @param pieces     one for each number of clients
     * @param parameters the bytes of the last version
     */
    private record Course(List<Piece> pieces, byte[] parameters) {}

    /**
     * A piece of a training.
     *
     * @param samplesPerSecond its speed
     * @param asked            what clients saw meanwhile; empty if there were none
     * @param accuracy         held-out accuracy of the version after it
     */
    private record Piece(double samplesPerSecond, Optional<LoadFigures> asked, double accuracy) {}

    /**
     * What to train and to ask.
     *
     * @param servings who answers
     * @param clients  clients of each piece of a run; each sends its next request as soon as it has a response
     * @param samples  samples of a piece, for each worker
     * @param heldOut  held-out samples that clients ask about
     * @param shard    held-out samples that a replica evaluates versions on; others than those that clients ask about
     */
    public record Plan(List<Serving> servings, List<Integer> clients, int samples, int heldOut, int shard) {}

    private final Workbench bench;
    private final Plan plan;
    private final Samples asked;
    private final Map<Integer, ShardSet> shards = new LinkedHashMap<>();
    private final Accuracy accuracy;
    private final long seed;
    private final VoteTally votes = new VoteTally();

    /** Prepares the experiment; the seed is that of the trainings. */
    public PlacesExperiment(Workbench bench, Plan plan, Samples train, Samples test, long seed) throws IOException {
        this.bench = bench;
        this.plan = plan;
        this.seed = seed;
        this.asked = test.slice(0, plan.heldOut());
        Samples evaluated = test.slice(plan.heldOut(), plan.heldOut() + plan.shard());
        for (Serving serving : plan.servings()) {
            int workers = serving.workers();
            if (!shards.containsKey(workers)) {
                shards.put(
                        workers,
                        ShardSet.write(
                                bench.scratch("shards-" + workers),
                                "digits",
                                train.slice(0, workers * plan.samples()),
                                evaluated,
                                workers));
            }
        }
        this.accuracy = new Accuracy(Normalization.of(train.slice(0, plan.samples())), asked);
    }

    /** Makes all runs. */
    public Places measure() throws Exception {
        Map<Integer, List<Course>> alone = new LinkedHashMap<>();
        Map<Serving, Course> beside = new LinkedHashMap<>();
        addAlone(alone);
        for (Serving serving : plan.servings()) {
            Course course = run(
                    Answerer.of(
                            bench.programs(),
                            serving,
                            shardsOf(serving.workers()).test()),
                    serving);
            beside.put(serving, course);
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
        ShardSet found = shards.get(workers);
        if (found == null) {
            throw new IllegalStateException("no shards were written for %d workers".formatted(workers));
        }
        return found;
    }

    private void addAlone(Map<Integer, List<Course>> alone) throws Exception {
        for (int workers : shards.keySet()) {
            alone.computeIfAbsent(workers, unused -> new ArrayList<>())
                    .add(run(Answerer.none(bench.programs(), workers), null));
        }
        bench.progress("without any inference: done");
    }

    /** Trains all pieces. Without {@code serving} nobody asks. */
    private Course run(Answerer programs, @Nullable Serving serving) throws Exception {
        try {
            for (Programs.Worker worker : programs.workers()) {
                DirectInvocation.init(worker);
            }
            double unused = train(programs, 0);
            Optional<PredictLoad> load = programs.address().map(address -> new PredictLoad(address, asked));
            if (load.isPresent()) {
                load.get().awaitModel();
                LoadFigures unusedFigures = load.get().asFastAsAnswered(WARM_UP_CLIENTS, WARM_UP_REQUESTS);
            }
            List<Piece> pieces = new ArrayList<>();
            for (int i = 0; i < plan.clients().size(); i++) {
                pieces.add(piece(programs, serving, load, i));
            }
            return new Course(pieces, bytes(programs.server()));
        } finally {
            programs.end();
        }
    }

    private Piece piece(Answerer programs, @Nullable Serving serving, Optional<PredictLoad> load, int number)
            throws Exception {
        if (load.isEmpty()) {
            double speed = train(programs, number + 1);
            return new Piece(
                    speed, Optional.empty(), accuracy.of(programs.server().parameters()));
        }
        try (VoteProbe probe = probe(programs, serving)) {
            Piece piece = asked(programs, load.get(), number);
            probe.stop();
            return piece;
        }
    }

    private VoteProbe probe(Answerer programs, @Nullable Serving serving) {
        boolean isVoting = serving != null && serving.place() == Serving.Place.ENSEMBLE;
        return new VoteProbe(isVoting ? programs.address() : Optional.empty(), asked, votes);
    }

    private Piece asked(Answerer programs, PredictLoad load, int number) throws Exception {
        PredictLoad.During both =
                load.during(plan.clients().get(number), OptionalDouble.empty(), () -> train(programs, number + 1));
        return new Piece(
                both.value(),
                Optional.of(both.asked()),
                accuracy.of(programs.server().parameters()));
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

    private static byte[] bytes(Programs.Server server) throws IOException {
        ByteBuffer data = server.parameters().data();
        byte[] bytes = new byte[data.remaining()];
        data.get(bytes);
        return bytes;
    }

    private List<Places.Figure> figures(Serving serving, Course course, List<Course> alone) {
        boolean isSame = alone.stream().allMatch(other -> Arrays.equals(other.parameters(), course.parameters()));
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
