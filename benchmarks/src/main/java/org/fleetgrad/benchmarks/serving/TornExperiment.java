package org.fleetgrad.benchmarks.serving;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.fleetgrad.benchmarks.training.HeldOut;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.libtorch.Device;
import org.fleetgrad.libtorch.Libtorch;
import org.fleetgrad.libtorch.Network;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;

/**
 * Sends requests to the trained tensors while they are trained, as a worker with {@code --serve-mode live} does, and
 * compares each answer bit by bit with what copies of the versions answer. Trains in rounds, so that few versions are
 * kept at a time; compares between them.
 */
final class TornExperiment {

    private static final int ROUND = 50;
    private static final int HELD_OUT = 1_000;

    /** What to ask; the seconds are those of training and asking, for each network and number of images. */
    record Plan(List<String> networks, List<Integer> images, double seconds) {}

    /**
     * How many answers are torn.
     *
     * @param images         images of each request
     * @param stepsPerSecond versions that the training made in a second
     * @param overlapped     answers that say that a load came between
     * @param torn           answers with the bits of no version
     * @param ofNoClass      torn answers with an image whose class is that of none of the versions
     */
    record Figure(
            String network,
            int images,
            double stepsPerSecond,
            long answers,
            long overlapped,
            long torn,
            long ofNoClass) {

        double overlappedShare() {
            return share(overlapped);
        }

        double tornShare() {
            return share(torn);
        }

        private double share(long part) {
            return answers == 0 ? 0 : (double) part / answers;
        }
    }

    private final ImageSamples train;
    private final HeldOut heldOut;
    private final Plan plan;
    private final long seed;

    /** @param seed of the trainings */
    TornExperiment(ImageSamples train, ImageSamples test, Plan plan, long seed) {
        this.train = train;
        this.heldOut = HeldOut.of(test, Normalization.of(train), HELD_OUT);
        this.plan = plan;
        this.seed = seed;
    }

    /** Measures each network and size; throws if an answer is torn and says that it is not. */
    List<Figure> measure(Consumer<String> progress) throws InterruptedException, ExecutionException {
        List<Figure> figures = new ArrayList<>();
        for (String name : plan.networks()) {
            for (int images : plan.images()) {
                Figure figure = measure(name, images);
                figures.add(figure);
                progress.accept("%s, %d images a request: %d of %d answers torn"
                        .formatted(name, images, figure.torn(), figure.answers()));
            }
        }
        return figures;
    }

    private Figure measure(String name, int images) throws InterruptedException, ExecutionException {
        NetworkDefinition definition = Networks.named(name, train.shape(), train.largestLabel() + 1);
        TornTally tally = new TornTally(definition.spec().classes());
        long steps = 0;
        long nanos = 0;
        try (LocalTraining training = new LocalTraining(definition, train, seed);
                Network exact = Libtorch.open(definition, Device.CPU);
                LiveClient client =
                        new LiveClient(training.network().live(), heldOut, images, new SplittableRandom(seed))) {
            while (nanos < plan.seconds() * 1e9) {
                SortedMap<Long, LocalTraining.Version> versions = new TreeMap<>();
                load(training, client, versions);
                long begin = System.nanoTime();
                Future<List<LiveClient.Answer>> asking = client.start();
                for (int step = 0; step < ROUND; step++) {
                    training.learn(1);
                    load(training, client, versions);
                }
                List<LiveClient.Answer> answers = client.stop(asking);
                nanos += System.nanoTime() - begin;
                steps += ROUND;
                compare(answers, versions, exact, images, tally);
            }
        }
        return tally.figure(name, images, steps / (nanos / 1e9));
    }

    private static void load(LocalTraining training, LiveClient client, Map<Long, LocalTraining.Version> versions) {
        LocalTraining.Version next = training.newest();
        versions.put(next.number(), next);
        client.load(next.number(), training::load);
    }

    /** Loads each version once, and asks it all questions whose answer may be of it. */
    private void compare(
            List<LiveClient.Answer> answers,
            SortedMap<Long, LocalTraining.Version> versions,
            Network exact,
            int images,
            TornTally tally) {
        IdentityHashMap<LiveClient.Answer, List<float[]>> candidates = new IdentityHashMap<>();
        versions.forEach((number, version) -> {
            exact.load(version.parameters());
            for (LiveClient.Answer answer : answers) {
                if (answer.version() <= number && number <= answer.until()) {
                    float[] question = heldOut.part(answer.image(), images).images();
                    candidates
                            .computeIfAbsent(answer, unused -> new ArrayList<>())
                            .add(exact.logits(question, images));
                }
            }
        });
        answers.forEach(answer -> tally.add(answer, candidates.getOrDefault(answer, List.of())));
    }
}
