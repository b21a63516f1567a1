package org.fleetgrad.serving.completion;

import org.fleetgrad.serving.PredictionOutcome;

/** What became of the attempt to begin a completion. */
public sealed interface CompletionStart {

    /** It began. */
    record Begun(RunningCompletion completion) implements CompletionStart {}

    /** It cannot begin now. */
    record Refused(PredictionOutcome.Refusal why) implements CompletionStart {}

    /** The version continues no texts; the sentence says why. */
    record Unfit(String why) implements CompletionStart {}

    /** It can never begin; the sentence says why, with every number. */
    record Invalid(String why) implements CompletionStart {}
}
