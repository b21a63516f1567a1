package org.fleetgrad.web;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows a refused start as its message, without a stack trace. */
final class StartRefusedAnalyzer extends AbstractFailureAnalyzer<StartRefusedException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, StartRefusedException cause) {
        return new FailureAnalysis(
                String.valueOf(cause.getMessage()), "docs/configuration.md has every setting, and examples.", cause);
    }
}
