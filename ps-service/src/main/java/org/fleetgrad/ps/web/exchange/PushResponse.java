package org.fleetgrad.ps.web.exchange;

import java.util.Optional;
import org.eclipse.jetty.http.HttpStatus;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.protocol.HeaderNames;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.encoding.ParameterForm;
import org.fleetgrad.protocol.messages.ParameterMessages.PushReply;
import org.fleetgrad.ps.outcome.PushOutcome;
import org.fleetgrad.ps.parameters.ParameterSnapshot;
import org.fleetgrad.ps.parameters.PublishedParameters;
import org.fleetgrad.ps.training.Training;
import org.fleetgrad.ps.web.problem.OutcomeProblems;
import org.springframework.stereotype.Component;

/** Responds with the outcome of a push, and with the newest parameters if the worker wants them. */
@Component
record PushResponse(Training training, PublishedParameters published, SlowClients clients) {

    /**
     * Writes the outcome of a push.
     *
     * @param pull   the form of the new parameters, if the worker wants them
     * @param worker whose gradient it is
     */
    void write(Exchange exchange, PushOutcome outcome, Optional<ParameterForm> pull, String worker) {
        // Whether the worker must wait for slower ones before it begins another iteration.
        boolean isAhead = !training.mayBegin(Optional.of(worker));
        if (outcome instanceof PushOutcome.Refused refused) {
            throw OutcomeProblems.of(refused);
        }
        if (training.isWorkPaused()) {
            exchange.setHeader(HeaderNames.WORK, HeaderNames.PAUSED);
        }
        // A duplicate gets the response of its first push, and is marked as a duplicate.
        PushOutcome first = outcome instanceof PushOutcome.Duplicate duplicate ? duplicate.first() : outcome;
        if (first instanceof PushOutcome.Applied applied) {
            Optional<ParameterSnapshot> newest = pull.filter(wanted -> !isAhead).flatMap(form -> newest(applied, form));
            if (newest.isPresent()) {
                note(exchange, outcome, applied);
                SnapshotResponse.write(exchange, newest.get(), pull.orElseThrow(), clients);
                return;
            }
            // A worker that requested parameters and does not get them here waits for them on /getParameter.
            reply(
                    exchange,
                    HttpStatus.OK_200,
                    outcome,
                    first,
                    applied.version(),
                    applied.staleness(),
                    pull.isPresent() || isAhead);
        } else if (first instanceof PushOutcome.Buffered buffered) {
            int status = outcome == first ? HttpStatus.ACCEPTED_202 : HttpStatus.OK_200;
            // In synchronous training, a worker whose gradient is buffered can push nothing more for this version.
            boolean isAwaiting = isAhead || training.settings().mode() instanceof TrainingMode.Sync;
            reply(exchange, status, outcome, first, buffered.version(), 0, isAwaiting);
        } else if (first instanceof PushOutcome.Staged staged) {
            reply(exchange, HttpStatus.ACCEPTED_202, outcome, first, staged.version(), 0, false);
        } else if (first instanceof PushOutcome.Dropped || first instanceof PushOutcome.Undecided) {
            long newest = published.version().map(ParameterVersion::version).orElse(0L);
            reply(exchange, HttpStatus.OK_200, outcome, first, newest, 0, false);
        } else {
            throw new IllegalStateException("no answer for " + outcome);
        }
    }

    /**
     * Holds the newest version for the response; empty if it is older than the push, or if slow readers hold its
     * memory. The gradient still counts: its worker gets a response without parameters, not a refusal.
     */
    private Optional<ParameterSnapshot> newest(PushOutcome.Applied applied, ParameterForm form) {
        boolean isPublished = published
                .version()
                .filter(newest -> newest.version() >= applied.version())
                .isPresent();
        if (!isPublished || published.isAtCapacity()) {
            return Optional.empty();
        }
        ParameterSnapshot newest = published.hold().orElseThrow();
        boolean isKept = false;
        try {
            isKept = SnapshotResponse.hasMemory(newest, form);
        } finally {
            if (!isKept) {
                newest.close();
            }
        }
        return isKept ? Optional.of(newest) : Optional.empty();
    }

    private static void note(Exchange exchange, PushOutcome outcome, PushOutcome.Applied applied) {
        exchange.setHeader(HeaderNames.OUTCOME, outcome.label());
        exchange.setHeader(HeaderNames.VERSION, Long.toString(applied.version()));
        exchange.setHeader(HeaderNames.STALENESS, Long.toString(applied.staleness()));
    }

    private static void reply(
            Exchange exchange,
            int status,
            PushOutcome outcome,
            PushOutcome first,
            long version,
            long staleness,
            boolean isAwaiting) {
        exchange.json(
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
