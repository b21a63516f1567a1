package org.fleetgrad.ps.web.exchange;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.fleetgrad.access.Guard;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.protocol.HeaderNames;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.protocol.encoding.ParameterForm;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.ps.membership.Leases;
import org.fleetgrad.ps.outcome.PushOutcome;
import org.fleetgrad.ps.outcome.SubmissionResult;
import org.fleetgrad.ps.training.Training;
import org.fleetgrad.ps.web.problem.OutcomeProblems;
import org.fleetgrad.ps.web.request.QueryParameters;
import org.fleetgrad.ps.web.request.RequestMembers;
import org.springframework.stereotype.Component;

/**
 * {@code POST /settleGradient}: commits a staged gradient ({@code as=counted}), drops one ({@code as=dropped}), or
 * reports the outcome of a push ({@code as=asked}).
 */
@Component
record CommitGradient(Training training, Leases leases, PushResponse responses) implements ExchangeHandler {

    @Override
    public String method() {
        return "POST";
    }

    @Override
    public String path() {
        return Routes.SETTLE_GRADIENT;
    }

    @Override
    public void handle(Exchange exchange) {
        QueryParameters query = exchange.query();
        String worker = RequestMembers.workerId(query.required("worker"));
        long sequence = sequence(query.required("sequence"));
        boolean isPull = query.isTrue("pull");
        ParameterForm form = query.form();
        if (leases.isLive(worker)) {
            // For a worker whose lease has ended, any worker may relay the lead's decision.
            Guard.requireMayActAs(exchange.caller(), worker);
        }
        PushOutcome outcome = OutcomeProblems.awaitOutcome(decide(exchange, query.required("as"), worker, sequence));
        responses.write(exchange, outcome, isPull ? Optional.of(form) : Optional.empty(), worker);
    }

    private CompletableFuture<SubmissionResult<PushOutcome>> decide(
            Exchange exchange, String how, String worker, long sequence) {
        return switch (how) {
            case "counted" -> training.commit(worker, sequence);
            case "dropped" -> training.drop(worker, sequence);
            case "asked" -> {
                boolean isOwn = worker.equals(exchange.header(HeaderNames.WORKER));
                yield training.outcomeOf(worker, sequence, isOwn || !leases.isLive(worker));
            }
            default ->
                throw new RequestRefused(
                        ProblemKind.INVALID_PARAMETER,
                        "as must be counted, dropped or asked; it is '%s'".formatted(how));
        };
    }

    private static long sequence(String text) {
        if (text.matches("\\d{1,16}")) {
            long sequence = Long.parseLong(text);
            if (sequence >= 1 && sequence <= GradientMetadata.MAX_SEQUENCE) {
                return sequence;
            }
        }
        throw new RequestRefused(
                ProblemKind.INVALID_PARAMETER,
                "sequence must be from 1 to %d; it is '%s'".formatted(GradientMetadata.MAX_SEQUENCE, text));
    }
}
