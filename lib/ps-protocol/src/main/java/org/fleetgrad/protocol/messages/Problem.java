package org.fleetgrad.protocol.messages;

import org.fleetgrad.protocol.ProblemKind;
import org.jspecify.annotations.Nullable;

/**
 * An error response, RFC 9457; other members are the numbers of the rule.
 *
 * @param type   stable name of the rule, such as {@code urn:fleetgrad:problem:stale-gradient}
 * @param title  the rule in a few words
 * @param status the HTTP status
 * @param code   the HTTP status again, as in the responses of the original design
 * @param detail what is wrong with this request, with every number
 * @param sequence with {@code worker-exists}: the highest sequence number that the server knows of the worker
 */
public record Problem(
        @Nullable String type,
        @Nullable String title,
        int status,
        int code,
        @Nullable String detail,
        @Nullable Long sequence) {

    /** Begins every problem's {@code type}. */
    public static final String TYPE_PREFIX = "urn:fleetgrad:problem:";

    /** Returns whether it breaks the rule of {@code kind}, with whatever status. */
    public boolean is(ProblemKind kind) {
        return kind.rule().equals(rule());
    }

    /** Returns the rule's name without its prefix; empty if the type has another prefix. */
    public String rule() {
        return type != null && type.startsWith(TYPE_PREFIX) ? type.substring(TYPE_PREFIX.length()) : "";
    }
}
