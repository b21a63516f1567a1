package org.fleetgrad.ps.web.exchange;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import org.fleetgrad.protocol.HeaderNames;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.encoding.ParameterEncoding;
import org.fleetgrad.protocol.messages.PushReply;
import org.fleetgrad.ps.outcome.PushOutcome;
import org.fleetgrad.ps.parameters.ParameterSnapshot;
import org.fleetgrad.ps.parameters.PublishedParameters;
import org.fleetgrad.ps.settings.TrainingMode;
import org.fleetgrad.ps.training.Training;
import org.fleetgrad.ps.web.problem.OutcomeProblems;
import tools.jackson.databind.json.JsonMapper;

/** A route that answers what became of a gradient, with the newest parameters if the worker wants them. */
abstract class GradientServlet extends ProblemServlet {

    private static final long serialVersionUID = 1L;

    private final transient Training training;
    private final transient PublishedParameters published;

    GradientServlet(JsonMapper json, Training training, PublishedParameters published) {
        super("POST", json);
        this.training = training;
        this.published = published;
    }

    /**
     * Writes what became of a push.
     *
     * @param pull    the encoding of the new parameters, if the worker wants them
     * @param worker whose gradient it is
     */
    final void write(HttpServletResponse response, PushOutcome outcome, Optional<ParameterEncoding> pull, String worker)
            throws IOException {
        // Whether the worker must wait for slower ones before it begins another iteration.
        boolean isAhead = !training.mayBegin(Optional.of(worker));
        if (outcome instanceof PushOutcome.Refused refused) {
            throw OutcomeProblems.of(refused);
        }
        // A duplicate gets the answer of its first push, and is marked as a duplicate.
        PushOutcome first = outcome instanceof PushOutcome.Duplicate duplicate ? duplicate.first() : outcome;
        if (first instanceof PushOutcome.Applied applied) {
            boolean isWriting = pull.isPresent() && !isAhead && !published.isCrowded();
            if (isWriting) {
                writeParameters(response, outcome, applied, pull.get());
            } else {
                // A worker that asked for parameters and does not get them here waits for them on /getParameter.
                reply(
                        response,
                        HttpServletResponse.SC_OK,
                        outcome,
                        first,
                        applied.version(),
                        applied.staleness(),
                        pull.isPresent() || isAhead);
            }
        } else if (first instanceof PushOutcome.Buffered buffered) {
            int status = outcome == first ? HttpServletResponse.SC_ACCEPTED : HttpServletResponse.SC_OK;
            // In synchronous training a worker whose gradient waits can push nothing more for this version.
            boolean isAwaiting = isAhead || training.settings().mode() instanceof TrainingMode.Sync;
            reply(response, status, outcome, first, buffered.version(), 0, isAwaiting);
        } else if (first instanceof PushOutcome.Staged staged) {
            reply(response, HttpServletResponse.SC_ACCEPTED, outcome, first, staged.version(), 0, false);
        } else if (first instanceof PushOutcome.Dropped || first instanceof PushOutcome.Open) {
            long newest = published.version().map(ParameterVersion::version).orElse(0L);
            reply(response, HttpServletResponse.SC_OK, outcome, first, newest, 0, false);
        } else {
            throw new IllegalStateException("no answer for " + outcome);
        }
    }

    private void writeParameters(
            HttpServletResponse response, PushOutcome outcome, PushOutcome.Applied applied, ParameterEncoding encoding)
            throws IOException {
        response.setHeader(HeaderNames.OUTCOME, outcome.label());
        response.setHeader(HeaderNames.VERSION, Long.toString(applied.version()));
        response.setHeader(HeaderNames.STALENESS, Long.toString(applied.staleness()));
        try (ParameterSnapshot newest = published.hold().orElseThrow()) {
            SnapshotAnswer.write(response, newest, encoding);
        }
    }

    private void reply(
            HttpServletResponse response,
            int status,
            PushOutcome outcome,
            PushOutcome first,
            long version,
            long staleness,
            boolean isAwaiting)
            throws IOException {
        writeJson(
                response,
                status,
                new PushReply(
                        status,
                        outcome.label(),
                        version,
                        staleness,
                        isAwaiting,
                        outcome == first ? null : first.label()));
    }
}
