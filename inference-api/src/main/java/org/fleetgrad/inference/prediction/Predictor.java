package org.fleetgrad.inference.prediction;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.fleetgrad.serving.Images;
import org.fleetgrad.serving.LiveModel;
import org.fleetgrad.serving.PredictionOutcome;
import org.fleetgrad.serving.PredictionOutcome.OtherForm;
import org.fleetgrad.serving.PredictionResult;
import org.fleetgrad.serving.SampleForm;
import org.fleetgrad.serving.batching.Batcher;
import org.fleetgrad.serving.policy.HeldOutScores;
import org.fleetgrad.serving.policy.WantedVersion;

/** Reads the images of requests, has them computed in batches, and counts them. Thread-safe. */
public final class Predictor {

    private final LiveModel model;
    private final Batcher batcher;
    private final HeldOutScores scores;
    private final LongAdder images = new LongAdder();

    public Predictor(LiveModel model, Batcher batcher, HeldOutScores scores) {
        this.model = model;
        this.batcher = batcher;
        this.scores = scores;
    }

    /**
     * Computes the images of a request.
     *
     * @param reader reads them as the version takes them; called again if the network or the
     *     tokenizer changed in the meantime
     */
    public PredictionOutcome predict(WantedVersion wanted, Function<SampleForm, Images> reader) {
        while (true) {
            Optional<SampleForm> form = model.form(wanted);
            if (form.isEmpty()) {
                return model.refusal(wanted);
            }
            Images request = reader.apply(form.get());
            PredictionOutcome outcome = batcher.predict(wanted, request);
            if (outcome instanceof PredictionResult) {
                images.add(request.count());
            }
            if (!(outcome instanceof OtherForm)) {
                return outcome;
            }
        }
    }

    /**
     * Begins to compute the images of a request, with the version that the policy chooses. No thread waits for the outcome.
     *
     * @param reader as in {@link #predict}
     * @return the future outcome, or empty if there is no version, or the queue is full
     */
    public Optional<CompletableFuture<PredictionOutcome>> submit(Function<SampleForm, Images> reader) {
        return model.form(WantedVersion.BY_POLICY).flatMap(form -> {
            Images request = reader.apply(form);
            return batcher.submit(WantedVersion.BY_POLICY, request)
                    .map(future -> future.whenComplete((outcome, failure) -> {
                        if (outcome instanceof PredictionResult) {
                            images.add(request.count());
                        }
                    }));
        });
    }

    /** Returns the held-out scores of the versions that answer. */
    public HeldOutScores scores() {
        return scores;
    }

    public long images() {
        return images.sum();
    }
}
