package org.fleetgrad.inference.web;

import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.inference.completion.CompletionReply;
import org.fleetgrad.inference.prediction.Refusals;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.serving.PredictionOutcome.Refusal;
import org.fleetgrad.serving.completion.CompletionEnd;
import org.fleetgrad.serving.completion.CompletionListener;
import org.springframework.web.context.request.async.DeferredResult;

/** Collects a completion that is answered as a whole. The answer is written by a thread of the server. */
final class WholeCompletion implements CompletionListener {

    private final CompletionReply.Head head;
    private final DeferredResult<CompletionReply> result;
    private final Refusals refusals;
    private final StringBuilder all = new StringBuilder();

    WholeCompletion(CompletionReply.Head head, DeferredResult<CompletionReply> result, Refusals refusals) {
        this.head = head;
        this.result = result;
        this.refusals = refusals;
    }

    @Override
    public void text(String text, ParameterVersion version) {
        all.append(text);
    }

    @Override
    public void end(CompletionEnd end) {
        result.setResult(head.end(all.toString(), end, true));
    }

    @Override
    public void refused(Refusal why) {
        result.setErrorResult(refusals.refused(why));
    }

    @Override
    public void failed(Throwable failure) {
        result.setErrorResult(new RequestRefused(ProblemKind.INTERNAL, "see the log of the service"));
    }
}
