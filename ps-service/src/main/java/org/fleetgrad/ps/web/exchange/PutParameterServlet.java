package org.fleetgrad.ps.web.exchange;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.messages.PutParameterReply;
import org.fleetgrad.ps.operation.MemoryBudget;
import org.fleetgrad.ps.outcome.PutOutcome;
import org.fleetgrad.ps.parameters.InitialParameters;
import org.fleetgrad.ps.parameters.PublishedParameters;
import org.fleetgrad.ps.run.Precondition;
import org.fleetgrad.ps.training.Training;
import org.fleetgrad.ps.web.problem.Answers;
import org.fleetgrad.ps.web.problem.OutcomeProblems;
import org.fleetgrad.ps.web.problem.ProblemKind;
import org.fleetgrad.ps.web.problem.RequestRefused;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** {@code PUT /putParameter}: the initial parameter set, or an operator's overwrite. */
final class PutParameterServlet extends ProblemServlet {

    private static final long serialVersionUID = 1L;

    private final transient Training training;
    private final transient PublishedParameters published;
    private final transient BodyBuffers bodies;
    private final transient ArrivedBytes arrived;
    private final transient SlowClients clients;
    private final transient MemoryBudget budget;
    private final long limitBytes;

    PutParameterServlet(
            JsonMapper json,
            Training training,
            PublishedParameters published,
            BodyBuffers bodies,
            ArrivedBytes arrived,
            SlowClients clients,
            MemoryBudget budget,
            long limitBytes) {
        super("PUT", json);
        this.training = training;
        this.published = published;
        this.bodies = bodies;
        this.arrived = arrived;
        this.clients = clients;
        this.budget = budget;
        this.limitBytes = limitBytes;
    }

    @Override
    void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Precondition precondition = precondition(request.getHeader("If-None-Match"), request.getHeader("If-Match"));
        Optional<ParameterVersion> newest = published.version();
        if (!precondition.holds(newest)) {
            // Before a byte of the body is read; the applier asks again, since another write may come first.
            throw OutcomeProblems.of(new PutOutcome.PreconditionFailed(newest));
        }
        Put put = new Put(response, precondition);
        BodyArrival.begin(this, request, response, limitBytes, bodies, arrived, clients, put);
    }

    private void put(HttpServletResponse response, InitialParameters given, Precondition precondition)
            throws IOException {
        PutOutcome outcome = Answers.awaitOutcome(training.applier().put(given, precondition));
        if (outcome instanceof PutOutcome.Accepted accepted) {
            write(response, given, accepted);
        } else if (outcome instanceof PutOutcome.PreconditionFailed failed) {
            throw OutcomeProblems.of(failed);
        } else {
            throw OutcomeProblems.of((PutOutcome.LayoutMismatch) outcome);
        }
    }

    private void write(HttpServletResponse response, InitialParameters given, PutOutcome.Accepted accepted)
            throws IOException {
        int status = accepted.isInitial() ? HttpServletResponse.SC_CREATED : HttpServletResponse.SC_OK;
        response.setHeader("ETag", accepted.version().etag());
        writeJson(
                response,
                status,
                new PutParameterReply(
                        status,
                        accepted.version().generation(),
                        accepted.version().version(),
                        given.layout().size(),
                        given.layout().byteLength()));
    }

    private static Precondition precondition(@Nullable String ifNoneMatch, @Nullable String ifMatch) {
        if (ifNoneMatch != null && ifMatch == null && ifNoneMatch.equals("*")) {
            return new Precondition.Absent();
        }
        if (ifMatch != null && ifNoneMatch == null) {
            return ifMatch.equals("*") ? new Precondition.Present() : new Precondition.Is(ifMatch);
        }
        throw new RequestRefused(
                ProblemKind.PRECONDITION_REQUIRED,
                "send 'If-None-Match: *' with an initial parameter set, or 'If-Match' with the entity tag to overwrite");
    }

    /** One parameter set on its way in. */
    private final class Put implements BodyArrival.Route {

        private final HttpServletResponse response;
        private final Precondition precondition;
        private final ArrivedBytes.Share share = arrived.begin();
        private @Nullable ArrivingParameters given;

        Put(HttpServletResponse response, Precondition precondition) {
            this.response = response;
            this.precondition = precondition;
        }

        @Override
        public BodySink head(TensorBody body) {
            ArrivingParameters checked = ArrivingParameters.of(body, share);
            budget.refusal(checked.valueCount()).ifPresent(reason -> {
                throw new RequestRefused(
                        ProblemKind.TOO_LARGE, reason, Map.of("bytes", Float.BYTES * checked.valueCount()));
            });
            given = checked;
            return checked.sink();
        }

        @Override
        public boolean whole(Supplier<AsyncContext> async) throws IOException {
            put(response, Objects.requireNonNull(given).parameters(), precondition);
            return false;
        }

        @Override
        public void release() {
            share.close();
        }
    }
}
