package org.fleetgrad.client.fake;

import java.util.Optional;
import org.fleetgrad.protocol.HeaderNames;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.messages.ParameterMessages.PushReply;

/** What happens to a push instead of being applied. */
@FunctionalInterface
public interface PushFault {

    /** Returns the response to the push; without one, the connection is closed. */
    Optional<FakeResponse> respond(FakeTraining training, Push push);

    /** Accepts the push, and runs {@code then} before the response. */
    static PushFault noneBut(Runnable then) {
        return (training, push) -> {
            then.run();
            return Optional.of(training.take(push));
        };
    }

    /** Accepts the push while the run's work is paused. */
    static PushFault paused() {
        return (training, push) -> Optional.of(training.take(push).with(HeaderNames.WORK, HeaderNames.PAUSED));
    }

    /** Applies the push, and closes the connection without a response. */
    static PushFault lostResponse() {
        return (training, push) -> {
            training.apply(push);
            return Optional.empty();
        };
    }

    /** Closes the connection without having heard anything. */
    static PushFault lostRequest() {
        return (training, push) -> Optional.empty();
    }

    static PushFault busy() {
        return refused(503, ProblemKind.BUSY.rule(), "256 gradients wait");
    }

    static PushFault refused(int status, String rule, String detail) {
        return (training, push) -> Optional.of(FakeResponse.problem(status, rule, detail));
    }

    /** Another worker moves the parameters on, and this one's gradient is too old. */
    static PushFault stale() {
        return (training, push) -> {
            training.moveOn();
            return Optional.of(FakeResponse.problem(409, ProblemKind.STALE_GRADIENT.rule(), "2 steps behind"));
        };
    }

    /** The leases run out. */
    static PushFault forgetWorkers() {
        return (training, push) -> {
            training.forgetWorkers();
            return Optional.of(training.take(push));
        };
    }

    /** The server was restarted without its disk. */
    static PushFault loseEverything() {
        return (training, push) -> {
            training.loseEverything();
            return Optional.of(training.take(push));
        };
    }

    /** Applies the push, and makes the worker wait for slower ones: {@code emptyPolls} end without parameters. */
    static PushFault tooFast(int emptyPolls) {
        return (training, push) -> {
            training.apply(push);
            training.holdBack(emptyPolls);
            return Optional.of(
                    FakeResponse.json(200, new PushReply(200, "applied", training.version(), 0, true, null)));
        };
    }

    /** Refuses the push because slower workers are too far behind: {@code emptyPolls} end without parameters. */
    static PushFault tooFarAhead(int emptyPolls) {
        return (training, push) -> {
            training.holdBack(emptyPolls);
            training.moveOn();
            return Optional.of(FakeResponse.problem(409, ProblemKind.TOO_FAR_AHEAD.rule(), "3 iterations ahead"));
        };
    }

    /** Buffers the push for a step that is made at a long poll, after {@code emptyPolls} that end without one. */
    static PushFault buffer(boolean awaitNext, int emptyPolls) {
        return (training, push) -> {
            training.buffer(push);
            training.holdBack(emptyPolls);
            return Optional.of(
                    FakeResponse.json(202, new PushReply(202, "buffered", training.version(), 0, awaitNext, null)));
        };
    }
}
