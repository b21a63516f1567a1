package org.fleetgrad.benchmarks.serving;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.fleetgrad.benchmarks.training.WorkerAnswers;

/** Counts which version each answer is of: it has that version's bits, or it is torn. */
final class TornTally {

    private final int classes;
    private long answers;
    private long overlapped;
    private long torn;
    private long ofNoClass;

    /** @param classes outputs of the network */
    TornTally(int classes) {
        this.classes = classes;
    }

    /** Adds an answer, with the logits of each version that it may be of; throws if it is torn and denies it. */
    void add(LiveClient.Answer answer, List<float[]> exact) {
        if (exact.size() != answer.until() - answer.version() + 1) {
            throw new IllegalArgumentException("versions %d to %d take as many exact answers; there are %d"
                    .formatted(answer.version(), answer.until(), exact.size()));
        }
        answers++;
        overlapped += answer.isOverlapped() ? 1 : 0;
        if (exact.stream().anyMatch(of -> Arrays.equals(of, answer.logits()))) {
            return;
        }
        if (!answer.isOverlapped()) {
            throw new IllegalStateException("an answer says that it is of version %d alone, and does not have its bits"
                    .formatted(answer.version()));
        }
        torn++;
        ofNoClass += isOfNoClass(answer, exact) ? 1 : 0;
    }

    private boolean isOfNoClass(LiveClient.Answer answer, List<float[]> exact) {
        WorkerAnswers given = new WorkerAnswers(answer.logits(), classes);
        List<WorkerAnswers> all =
                exact.stream().map(logits -> new WorkerAnswers(logits, classes)).toList();
        return IntStream.range(0, given.images())
                .anyMatch(image -> all.stream().noneMatch(one -> one.classOf(image) == given.classOf(image)));
    }

    TornExperiment.Figure figure(String network, int images, double stepsPerSecond) {
        return new TornExperiment.Figure(network, images, stepsPerSecond, answers, overlapped, torn, ofNoClass);
    }
}
