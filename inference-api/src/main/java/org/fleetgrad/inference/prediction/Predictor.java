package org.fleetgrad.inference.prediction;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import org.fleetgrad.inference.feedback.Feedback;
import org.fleetgrad.inference.shadow.Shadow;
import org.fleetgrad.serving.Images;
import org.fleetgrad.serving.LiveModel;
import org.fleetgrad.serving.PredictionOutcome;
import org.fleetgrad.serving.PredictionOutcome.OtherForm;
import org.fleetgrad.serving.PredictionResult;
import org.fleetgrad.serving.PredictionResult.Prediction;
import org.fleetgrad.serving.SampleForm;
import org.fleetgrad.serving.SampleMemory;
import org.fleetgrad.serving.batching.Batcher;
import org.fleetgrad.serving.images.InvalidImagesException;
import org.fleetgrad.serving.images.InvalidImagesException.Rule;
import org.fleetgrad.serving.policy.HeldOutScores;
import org.fleetgrad.serving.policy.WantedVersion;

/** Reads the images of requests, has them computed in batches, and counts them. Thread-safe. */
public final class Predictor {

    private final LiveModel model;
    private final Batcher batcher;
    private final SampleMemory memory;
    private final HeldOutScores scores;
    private final Feedback feedback;
    private final Shadow shadow;
    private final LongAdder images = new LongAdder();
    private final LongAdder refused = new LongAdder();

    /**
     * Makes a predictor.
     *
     * @param memory   of the samples of all requests, from when they are read until they are answered
     * @param feedback names the answers
     * @param shadow   compares some of the answers with the newest version's
     */
    public Predictor(
            LiveModel model,
            Batcher batcher,
            SampleMemory memory,
            HeldOutScores scores,
            Feedback feedback,
            Shadow shadow) {
        this.model = model;
        this.batcher = batcher;
        this.memory = memory;
        this.scores = scores;
        this.feedback = feedback;
        this.shadow = shadow;
    }

    /**
     * Computes the images of a request.
     *
     * @param reader reads them as the version takes them; called again if the network or the
     *     tokenizer changed in the meantime
     */
    public Answered predict(WantedVersion wanted, SampleReader reader) {
        while (true) {
            Optional<SampleForm> form = model.form(wanted);
            if (form.isEmpty()) {
                return new Answered(model.refusal(wanted), Optional.empty());
            }
            Answered answered = predict(wanted, reader, form.get());
            if (!(answered.outcome() instanceof OtherForm)) {
                return answered;
            }
        }
    }

    private Answered predict(WantedVersion wanted, SampleReader reader, SampleForm form) {
        try (SampleMemory.Lease lease = memory.lease()) {
            Images request = reader.read(form, lease);
            PredictionOutcome outcome = batcher.predict(wanted, request);
            if (outcome instanceof PredictionResult result) {
                images.add(request.count());
                if (wanted instanceof WantedVersion.ByPolicy) {
                    shadow.answered(request, result);
                }
            }
            return new Answered(outcome, Optional.of(request));
        } catch (InvalidImagesException wrong) {
            if (wrong.rule() == Rule.BUSY) {
                refused.increment();
            }
            throw wrong;
        }
    }

    /**
     * Begins to compute the images of a request, with the version that the policy chooses. No thread waits for the outcome.
     *
     * @param reader as in {@link #predict}
     * @return the future outcome, or empty if there is no version, or the queue is full
     */
    public Optional<CompletableFuture<Answered>> submit(SampleReader reader) {
        return model.form(WantedVersion.BY_POLICY).flatMap(form -> submit(reader, form));
    }

    private Optional<CompletableFuture<Answered>> submit(SampleReader reader, SampleForm form) {
        SampleMemory.Lease lease = memory.lease();
        boolean isTaken = false;
        try {
            Images request = reader.read(form, lease);
            Optional<CompletableFuture<Answered>> submitted = batcher.submit(WantedVersion.BY_POLICY, request)
                    .map(future -> future.whenComplete((outcome, failure) -> {
                                lease.close();
                                if (outcome instanceof PredictionResult result) {
                                    images.add(request.count());
                                    shadow.answered(request, result);
                                }
                            })
                            .thenApply(outcome -> new Answered(outcome, Optional.of(request))));
            isTaken = submitted.isPresent();
            return submitted;
        } finally {
            if (!isTaken) {
                lease.close();
            }
        }
    }

    /** Returns the held-out scores of the versions that answer. */
    public HeldOutScores scores() {
        return scores;
    }

    /**
     * Returns the id of an answer, for its later feedback; empty if it takes none.
     *
     * @param request what was asked
     */
    public Optional<String> idOf(
            PredictionResult result, List<? extends Prediction> predictions, Optional<Images> request) {
        return feedback.idOf(result, predictions, request);
    }

    public long images() {
        return images.sum();
    }

    /** Returns the number of requests so far that found no memory or a full queue. */
    public long refused() {
        return refused.sum() + batcher.refused();
    }
}
