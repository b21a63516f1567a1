package org.fleetgrad.inference.security;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows a refused start as its message, without a stack trace. */
final class InsecureStartAnalyzer extends AbstractFailureAnalyzer<InsecureStartException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InsecureStartException cause) {
        return new FailureAnalysis(
                String.valueOf(cause.getMessage()), "docs/configuration.md has every setting, and examples.", cause);
    }
}
