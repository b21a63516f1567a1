package org.fleetgrad.client;

import java.io.IOException;
import org.fleetgrad.protocol.messages.Problem;

/** The server refused a call, and the call has no result for this refusal. The message is the problem's detail. */
public final class ProblemException extends IOException {

    private static final long serialVersionUID = 1L;

    private final transient Problem problem;

    ProblemException(String call, Problem problem) {
        super("%s: %d %s".formatted(call, problem.status(), problem.detail()));
        this.problem = problem;
    }

    /** Returns the problem as the server stated it. */
    public Problem problem() {
        return problem;
    }
}
