package org.fleetgrad.web;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** The service does not start, for a reason that its user can fix; the message says how. */
public final class StartRefusedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Refuses without a cause: a cause might quote the file of a key. */
    public StartRefusedException(String message) {
        super(message);
    }

    public StartRefusedException(String message, Throwable cause) {
        super(message, cause);
    }

    /** Shows a refused start as its message, without a stack trace. */
    static final class Analyzer extends AbstractFailureAnalyzer<StartRefusedException> {

        @Override
        protected FailureAnalysis analyze(Throwable rootFailure, StartRefusedException cause) {
            return new FailureAnalysis(
                    String.valueOf(cause.getMessage()),
                    "docs/configuration.md has every setting, and examples.",
                    cause);
        }
    }
}
