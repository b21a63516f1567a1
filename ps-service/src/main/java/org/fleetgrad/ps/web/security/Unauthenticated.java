package org.fleetgrad.ps.web.security;

import java.util.Map;
import org.fleetgrad.ps.web.problem.ProblemKind;
import org.fleetgrad.ps.web.problem.RequestRefused;

/** The answer to a caller that is not known. */
public final class Unauthenticated {

    private Unauthenticated() {}

    /**
     * Makes the refusal. The header repeats the detail, RFC 6750 section 3: some clients never show the body of a 401.
     *
     * @param hasToken whether the request had a token or keys, which are not valid; if it had none, it is told the scheme
     *     alone
     */
    public static RequestRefused refusal(String detail, boolean hasToken) {
        String challenge = "Bearer realm=\"fleetgrad\"";
        return new RequestRefused(
                ProblemKind.UNAUTHENTICATED,
                detail,
                Map.of(),
                Map.of(
                        "WWW-Authenticate",
                        hasToken
                                ? "%s, error=\"invalid_token\", error_description=\"%s\"".formatted(challenge, detail)
                                : challenge));
    }
}
