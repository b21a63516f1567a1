package org.fleetgrad.ps.web.exchange;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Supplier;
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
    private final transient SlowClients clients;

    GradientServlet(JsonMapper json, Training training, PublishedParameters published, SlowClients clients) {
        super("POST", json);
        this.training = training;
        this.published = published;
        this.clients = clients;
    }

    /**
     * Writes what became of a push.
     *
     * @param async  begins the asynchronous answer, or returns the one that has begun
     * @param pull   the encoding of the new parameters, if the worker wants them
     * @param worker whose gradient it is
     * @return whether parameters are still being written, which completes {@code async}
     */
    final boolean write(
            HttpServletRequest request,
            Supplier<AsyncContext> async,
            HttpServletResponse response,
            PushOutcome outcome,
            Optional<ParameterEncoding> pull,
            String worker)
            throws IOException {
        // Whether the worker must wait for slower ones before it begins another iteration.
        boolean isAhead = !training.mayBegin(Optional.of(worker));
        if (outcome instanceof PushOutcome.Refused refused) {
            throw OutcomeProblems.of(refused);
        }
        // A duplicate gets the answer of its first push, and is marked as a duplicate.
        PushOutcome first = outcome instanceof PushOutcome.Duplicate duplicate ? duplicate.first() : outcome;
        if (first instanceof PushOutcome.Applied applied) {
            Optional<ParameterSnapshot> newest =
                    pull.filter(wanted -> !isAhead).flatMap(encoding -> newest(applied, encoding));
            if (newest.isPresent()) {
                note(response, outcome, applied);
                return SnapshotAnswer.write(request, response, async, newest.get(), pull.orElseThrow(), clients);
            }
            // A worker that asked for parameters and does not get them here waits for them on /getParameter.
            reply(
                    response,
                    HttpServletResponse.SC_OK,
                    outcome,
                    first,
                    applied.version(),
                    applied.staleness(),
                    pull.isPresent() || isAhead);
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
        return false;
    }

    /**
     * Holds the newest version for the answer; empty if it is older than the push, or if slow readers hold its memory. The
     * gradient counts nevertheless: its worker gets an answer without parameters, not a refusal.
     */
    private Optional<ParameterSnapshot> newest(PushOutcome.Applied applied, ParameterEncoding encoding) {
        boolean isServed = published
                .version()
                .filter(newest -> newest.version() >= applied.version())
                .isPresent();
        if (!isServed || published.isCrowded()) {
            return Optional.empty();
        }
        ParameterSnapshot newest = published.hold().orElseThrow();
        if (SnapshotAnswer.hasMemory(newest, encoding)) {
            return Optional.of(newest);
        }
        newest.close();
        return Optional.empty();
    }

    private static void note(HttpServletResponse response, PushOutcome outcome, PushOutcome.Applied applied) {
        response.setHeader(HeaderNames.OUTCOME, outcome.label());
        response.setHeader(HeaderNames.VERSION, Long.toString(applied.version()));
        response.setHeader(HeaderNames.STALENESS, Long.toString(applied.staleness()));
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
