package org.fleetgrad.worker.colocated;

import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.fleetgrad.http.server.Reply;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.ProblemRules;
import org.fleetgrad.serving.ImageShape;
import org.fleetgrad.serving.Images;
import org.fleetgrad.serving.ServedNetwork;
import org.fleetgrad.serving.images.InvalidImagesException;
import org.fleetgrad.serving.images.JsonImages;
import org.fleetgrad.serving.policy.HeldOutAccuracies;

/** The two routes of a worker that answers predictions: {@code POST /predict} and {@code GET /status}. Thread-safe. */
final class Predictions {

    /** Maximum number of requests that wait or are processed at a time; the next one is told to retry. */
    static final int MOST_OUTSTANDING = 64;

    private static final int MOST_IMAGES = 256;

    private final Answering answering;
    private final ServeMode mode;
    private final int every;
    private final HeldOutAccuracies accuracies;
    private final Clock clock;
    private final long begin;
    private final Semaphore outstanding = new Semaphore(MOST_OUTSTANDING);
    private final LongAdder images = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private volatile boolean isClosing;

    Predictions(Answering answering, ServeMode mode, int every, HeldOutAccuracies accuracies, Clock clock) {
        this.answering = answering;
        this.mode = mode;
        this.every = every;
        this.accuracies = accuracies;
        this.clock = clock;
        this.begin = clock.millis();
    }

    /**
     * Classifies the images of a body.
     *
     * @param body <code>{"image": [...]}</code> or <code>{"images": [[...], ...]}</code>
     */
    Reply predict(byte[] body) {
        if (isClosing || !outstanding.tryAcquire()) {
            refused.increment();
            return Reply.later(
                    ProblemRules.BUSY,
                    isClosing
                            ? "the worker ends"
                            : "%d requests wait for this worker already".formatted(MOST_OUTSTANDING));
        }
        try {
            return answer(body);
        } catch (InvalidImagesException wrong) {
            String rule = wrong.rule() == InvalidImagesException.Rule.TOO_MANY
                    ? ProblemRules.TOO_LARGE
                    : ProblemRules.MALFORMED;
            return Reply.problem(
                    rule.equals(ProblemRules.TOO_LARGE) ? 413 : 400, rule, String.valueOf(wrong.getMessage()));
        } finally {
            outstanding.release();
        }
    }

    private Reply answer(byte[] body) {
        while (true) {
            Optional<ServedNetwork> network = answering.network();
            if (network.isEmpty()) {
                return Reply.later(ProblemRules.NO_PARAMETERS, "there is no model yet: " + answering.absence());
            }
            ImageShape shape = network.get().shape();
            Images request = new JsonImages(shape, MOST_IMAGES).read(body);
            Optional<PredictResponse> answer = answering.classify(request);
            if (answer.isPresent()) {
                images.add(request.count());
                String generation = answer.get().classification().version().generation();
                return Reply.json(ColocatedPredictReply.of(answer.get(), mode, accuracies.newest(generation)));
            }
            // The network changed in the meantime: its images may have another shape.
        }
    }

    Reply status() {
        Optional<ServedNetwork> network = answering.network();
        Optional<ParameterVersion> version = answering.version();
        return Reply.json(new ColocatedStatusReply(
                200,
                network.isPresent() ? "serving" : "waiting",
                network.isPresent() ? null : answering.absence(),
                mode.label(),
                every,
                network.map(ServedNetwork::name).orElse(null),
                version.map(ParameterVersion::generation).orElse(null),
                version.map(ParameterVersion::version).orElse(null),
                images.sum(),
                refused.sum(),
                clock.millis() - begin));
    }

    /** Refuses new requests, and waits up to {@code millis} for the outstanding ones. */
    void drain(long millis) throws InterruptedException {
        isClosing = true;
        if (outstanding.tryAcquire(MOST_OUTSTANDING, millis, TimeUnit.MILLISECONDS)) {
            outstanding.release(MOST_OUTSTANDING);
        }
    }
}
