package org.fleetgrad.inference.prediction;

import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.following.Follower;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.serving.LiveModel;
import org.fleetgrad.serving.PredictionOutcome;
import org.fleetgrad.serving.PredictionOutcome.CompletionsFull;
import org.fleetgrad.serving.PredictionOutcome.Full;
import org.fleetgrad.serving.PredictionOutcome.NoVersion;
import org.fleetgrad.serving.PredictionOutcome.NotHeld;
import org.fleetgrad.serving.PredictionResult;
import org.fleetgrad.serving.completion.CompletionStart;
import org.fleetgrad.serving.completion.CompletionStart.Begun;
import org.fleetgrad.serving.completion.CompletionStart.Invalid;
import org.fleetgrad.serving.completion.CompletionStart.Refused;
import org.fleetgrad.serving.completion.CompletionStart.Unfit;
import org.fleetgrad.serving.completion.RunningCompletion;
import org.fleetgrad.serving.images.InvalidImagesException;

/** Turns an outcome without an answer into its refusal. */
public final class Refusals {

    private final Follower follower;
    private final LiveModel model;

    public Refusals(Follower follower, LiveModel model) {
        this.follower = follower;
        this.model = model;
    }

    /** Returns the result, or throws the reason why there is none. */
    public PredictionResult resultOf(PredictionOutcome outcome) {
        if (outcome instanceof PredictionResult result) {
            return result;
        }
        throw refused(outcome);
    }

    /** Returns the refusal of an outcome that is no answer. */
    public RequestRefused refused(PredictionOutcome outcome) {
        if (outcome instanceof NotHeld notHeld) {
            return new RequestRefused(
                    ProblemKind.VERSION_NOT_HELD,
                    "the version %s is not held; held are %s".formatted(notHeld.wanted(), notHeld.held()));
        }
        if (outcome instanceof NoVersion) {
            return RequestRefused.forNow(ProblemKind.NO_MODEL, noVersion());
        }
        if (outcome instanceof Full full) {
            return RequestRefused.forNow(
                    ProblemKind.BUSY,
                    "%d images of %d bytes wait for an answer; at most %d images and %d bytes may wait"
                            .formatted(full.images(), full.bytes(), full.maxImages(), full.maxBytes()));
        }
        if (outcome instanceof CompletionsFull full) {
            return RequestRefused.forNow(
                    ProblemKind.BUSY,
                    "%d completions of %d bytes run, and this one takes %d bytes more; at most %d completions of %d bytes may run"
                            .formatted(full.running(), full.bytes(), full.asked(), full.most(), full.mostBytes()));
        }
        return RequestRefused.forNow(ProblemKind.BUSY, "the service shuts down: ask another one, or later");
    }

    /** Returns the completion that began, or throws the reason why none did. */
    public RunningCompletion begun(CompletionStart start) {
        if (start instanceof Begun begun) {
            return begun.completion();
        }
        if (start instanceof Refused refused) {
            throw refused(refused.why());
        }
        if (start instanceof Unfit unfit) {
            throw new RequestRefused(ProblemKind.NO_LANGUAGE_MODEL, unfit.why());
        }
        throw new RequestRefused(ProblemKind.INVALID_PARAMETER, ((Invalid) start).why());
    }

    /** Returns the refusal of samples that cannot be read, or have no room. */
    public static RequestRefused of(InvalidImagesException invalid) {
        String detail = String.valueOf(invalid.getMessage());
        return switch (invalid.rule()) {
            case MALFORMED -> new RequestRefused(ProblemKind.MALFORMED, detail);
            case TOO_MANY -> new RequestRefused(ProblemKind.TOO_LARGE, detail);
            case UNREADABLE -> new RequestRefused(ProblemKind.UNREADABLE_IMAGE, detail);
            // The test shard, which has it, may come.
            case NO_TOKENIZER -> RequestRefused.forNow(ProblemKind.NO_MODEL, detail);
            case BUSY -> RequestRefused.forNow(ProblemKind.BUSY, detail);
        };
    }

    private String noVersion() {
        return model.versions().isEmpty()
                ? "there is no model yet: " + follower.state().detail()
                : "the policy %s waits for its version; held are %s"
                        .formatted(model.policy().text(), model.versions());
    }
}
