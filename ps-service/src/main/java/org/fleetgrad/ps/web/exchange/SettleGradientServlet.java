package org.fleetgrad.ps.web.exchange;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.fleetgrad.protocol.HeaderNames;
import org.fleetgrad.protocol.encoding.ParameterEncoding;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.ps.membership.Leases;
import org.fleetgrad.ps.outcome.Answer;
import org.fleetgrad.ps.outcome.PushOutcome;
import org.fleetgrad.ps.parameters.PublishedParameters;
import org.fleetgrad.ps.training.Training;
import org.fleetgrad.ps.web.problem.Answers;
import org.fleetgrad.ps.web.problem.ProblemKind;
import org.fleetgrad.ps.web.problem.RequestRefused;
import org.fleetgrad.ps.web.request.QueryParameters;
import org.fleetgrad.ps.web.request.RequestMembers;
import org.fleetgrad.ps.web.security.Callers;
import tools.jackson.databind.json.JsonMapper;

/**
 * {@code POST /settleGradient}: lets a staged gradient count ({@code as=counted}), gives one up ({@code as=dropped}), or says
 * what became of a push ({@code as=asked}).
 */
final class SettleGradientServlet extends GradientServlet {

    private static final long serialVersionUID = 1L;

    private final transient Training training;
    private final transient Leases leases;

    SettleGradientServlet(
            JsonMapper json, Training training, PublishedParameters published, Leases leases, SlowClients clients) {
        super(json, training, published, clients);
        this.training = training;
        this.leases = leases;
    }

    @Override
    void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String worker = RequestMembers.workerId(required(request, "worker"));
        long sequence = sequence(required(request, "sequence"));
        boolean isPull = QueryParameters.isTrue(request, "pull");
        ParameterEncoding encoding = QueryParameters.encoding(request);
        if (leases.isLive(worker)) {
            // Of a worker that is gone, any worker may say what the lead said.
            Callers.requireMayActAs(request, worker);
        }
        PushOutcome outcome = Answers.awaitOutcome(settle(request, worker, sequence));
        boolean unused = write(
                request,
                () -> Connections.async(request, response),
                response,
                outcome,
                isPull ? Optional.of(encoding) : Optional.empty(),
                worker);
    }

    private CompletableFuture<Answer<PushOutcome>> settle(HttpServletRequest request, String worker, long sequence) {
        String how = required(request, "as");
        return switch (how) {
            case "counted" -> training.applier().commit(worker, sequence);
            case "dropped" -> training.applier().giveUp(worker, sequence);
            case "asked" -> {
                boolean isOwn = worker.equals(request.getHeader(HeaderNames.WORKER));
                yield training.applier().ask(worker, sequence, isOwn || !leases.isLive(worker));
            }
            default ->
                throw new RequestRefused(
                        ProblemKind.INVALID_PARAMETER,
                        "as must be counted, dropped or asked; it is '%s'".formatted(how));
        };
    }

    private static String required(HttpServletRequest request, String name) {
        return Optional.ofNullable(request.getParameter(name))
                .orElseThrow(() -> new RequestRefused(
                        ProblemKind.INVALID_PARAMETER, "the request lacks the parameter '%s'".formatted(name)));
    }

    private static long sequence(String text) {
        if (text.matches("\\d{1,16}")) {
            long sequence = Long.parseLong(text);
            if (sequence >= 1 && sequence <= GradientMetadata.MOST_SEQUENCE) {
                return sequence;
            }
        }
        throw new RequestRefused(
                ProblemKind.INVALID_PARAMETER,
                "sequence must be from 1 to %d; it is '%s'".formatted(GradientMetadata.MOST_SEQUENCE, text));
    }
}
