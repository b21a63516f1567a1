package org.fleetgrad.worker.colocated;

import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.fleetgrad.http.server.BufferedRequest;
import org.fleetgrad.http.server.Reply;
import org.fleetgrad.protocol.HeldOutScore.ScoredVersion;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.serving.Images;
import org.fleetgrad.serving.PredictionResult.Prediction;
import org.fleetgrad.serving.SampleForm;
import org.fleetgrad.serving.SampleMemory;
import org.fleetgrad.serving.ServedNetwork;
import org.fleetgrad.serving.images.InvalidImagesException;
import org.fleetgrad.serving.policy.HeldOutScores;
import org.fleetgrad.serving.tables.UnknownCategory;
import org.fleetgrad.worker.colocated.ColocatedPredictor.Response;
import org.fleetgrad.worker.colocated.ServeSettings.ServeMode;
import org.jspecify.annotations.Nullable;

/** The two routes of a worker that answers predictions: {@code POST /predict} and {@code GET /status}. Thread-safe. */
final class Predictions {

    /** Maximum number of requests that wait or are processed at a time; the next one is told to retry. */
    static final int MOST_OUTSTANDING = 64;

    private static final int MOST_IMAGES = 256;

    /** Of all requests at a time: a worker has little memory besides the training's. */
    static final long MOST_BYTES = 16L << 20;

    private final ColocatedPredictor predictor;
    private final ServeMode mode;
    private final int every;
    private final HeldOutScores scores;
    private final Clock clock;
    private final long begin;
    private final Semaphore outstanding = new Semaphore(MOST_OUTSTANDING);
    private final SampleMemory memory = new SampleMemory(MOST_BYTES);
    private final LongAdder images = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private volatile boolean isClosing;

    Predictions(ColocatedPredictor predictor, ServeMode mode, int every, HeldOutScores scores, Clock clock) {
        this.predictor = predictor;
        this.mode = mode;
        this.every = every;
        this.scores = scores;
        this.clock = clock;
        this.begin = clock.millis();
    }

    Reply handle(BufferedRequest request) {
        return switch (request.path()) {
            case "/predict" -> request.method().equals("POST") ? predict(request) : Reply.wrongMethod("POST");
            case Routes.STATUS -> request.method().equals("GET") ? status() : Reply.wrongMethod("GET");
            default ->
                Reply.problem(
                        ProblemKind.NOT_FOUND,
                        "this worker knows POST /predict, GET /status and POST /issueToken only");
        };
    }

    private Reply predict(BufferedRequest request) {
        if (!request.isJson()) {
            return Reply.problem(
                    ProblemKind.UNSUPPORTED_MEDIA_TYPE,
                    "the body has type %s; a worker accepts application/json".formatted(request.mediaType()));
        }
        return predict(request.body());
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
                    ProblemKind.BUSY,
                    isClosing
                            ? "the worker ends"
                            : "%d requests wait for this worker already".formatted(MOST_OUTSTANDING));
        }
        try {
            return answer(body);
        } catch (InvalidImagesException wrong) {
            if (wrong.rule() == InvalidImagesException.Rule.BUSY) {
                refused.increment();
                return Reply.later(ProblemKind.BUSY, String.valueOf(wrong.getMessage()));
            }
            ProblemKind kind = wrong.rule() == InvalidImagesException.Rule.TOO_MANY
                    ? ProblemKind.TOO_LARGE
                    : ProblemKind.MALFORMED;
            return Reply.problem(kind, String.valueOf(wrong.getMessage()));
        } finally {
            outstanding.release();
        }
    }

    private Reply answer(byte[] body) {
        while (true) {
            Optional<SampleForm> form = predictor.form();
            if (form.isEmpty()) {
                return Reply.later(ProblemKind.NO_MODEL, "there is no model yet: " + predictor.absence());
            }
            try (SampleMemory.Lease lease = memory.lease()) {
                Images request = form.get().read(body, MOST_IMAGES, lease);
                Optional<Response> answer = predictor.classify(request);
                if (answer.isPresent()) {
                    images.add(request.count());
                    String generation = answer.get().result().version().generation();
                    return Reply.json(ColocatedPredictReply.of(answer.get(), mode, scores.newest(generation)));
                }
            }
            // The network changed in the meantime: it may take other samples.
        }
    }

    private Reply status() {
        Optional<ServedNetwork> network = predictor.form().map(SampleForm::network);
        Optional<ParameterVersion> version = predictor.version();
        return Reply.json(new ColocatedStatusReply(
                200,
                network.isPresent() ? "serving" : "waiting",
                network.isPresent() ? null : predictor.absence(),
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

    /**
     * The response to a prediction: the inference API's members, and those of a worker. {@code
     * docs/colocated-serving.md} explains each.
     */
    record ColocatedPredictReply(
            int code,
            List<? extends Prediction> predictions,
            @Nullable List<UnknownCategory> unknown,
            long version,
            String generation,
            @Nullable Double accuracy,
            @Nullable Long accuracyVersion,
            String network,
            String mode,
            @Nullable Long untilVersion) {

        static ColocatedPredictReply of(Response answer, ServeMode mode, Optional<ScoredVersion> newest) {
            return new ColocatedPredictReply(
                    200,
                    answer.result().predictions(),
                    answer.result().unknown().isEmpty() ? null : answer.result().unknown(),
                    answer.result().version().version(),
                    answer.result().version().generation(),
                    newest.flatMap(known -> known.score().accuracy()).orElse(null),
                    newest.map(known -> known.version().version()).orElse(null),
                    answer.result().network().name(),
                    mode.label(),
                    answer.until().isPresent() ? (Long) answer.until().getAsLong() : null);
        }
    }

    /** The state of a worker that answers predictions; {@code docs/colocated-serving.md} explains each member. */
    record ColocatedStatusReply(
            int code,
            String state,
            @Nullable String detail,
            String mode,
            int every,
            @Nullable String network,
            @Nullable String generation,
            @Nullable Long version,
            long predictions,
            long refused,
            long uptimeMs) {}
}
