package org.fleetgrad.ps.web.request;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.ServingAddress;
import org.fleetgrad.protocol.work.WorkPlan;
import org.jspecify.annotations.Nullable;

/** Checks the members of a JSON request, or refuses the request. */
public final class RequestMembers {

    /** The allowed characters of a worker's id, for messages. */
    public static final String WORKER_ID_RULE = "1 to 128 letters, digits, '.', '_', ':' or '-'";

    private static final Pattern WORKER_ID = Pattern.compile("[A-Za-z0-9._:-]{1,128}");
    private static final int LONGEST_TEXT = 1024;

    private RequestMembers() {}

    /**
     * Returns a member that the request must have.
     *
     * @param name the member's name, or a few words that quote it
     */
    public static <T> T required(String name, @Nullable T value) {
        if (value == null) {
            String quoted = name.contains("'") ? name : "'" + name + "'";
            throw new RequestRefused(ProblemKind.MALFORMED, "the request lacks " + quoted);
        }
        return value;
    }

    public static long notNegative(String name, Number value) {
        if (value.longValue() < 0) {
            throw new RequestRefused(ProblemKind.MALFORMED, "'%s' is 0 or more; it is %s".formatted(name, value));
        }
        return value.longValue();
    }

    public static long epoch(Number value) {
        if (value.longValue() < 0 || value.longValue() > WorkPlan.MAX_EPOCHS) {
            throw new RequestRefused(
                    ProblemKind.MALFORMED, "'epoch' is from 0 to %d; it is %s".formatted(WorkPlan.MAX_EPOCHS, value));
        }
        return value.longValue();
    }

    /** Returns a worker's id of the allowed characters. */
    public static String workerId(String id) {
        return id("a worker", id);
    }

    /** Returns a platform's id of an activation, which has the characters of a worker's id. */
    public static String activationId(String id) {
        return id("an activation", id);
    }

    private static String id(String of, String id) {
        if (!isWorkerId(id)) {
            throw new RequestRefused(
                    ProblemKind.MALFORMED,
                    "%s's id has %s; this has %d characters".formatted(of, WORKER_ID_RULE, id.length()));
        }
        return id;
    }

    public static boolean isWorkerId(String id) {
        return WORKER_ID.matcher(id).matches();
    }

    /** Returns the address at which a worker serves predictions. */
    public static URI servingAddress(String text) {
        try {
            return ServingAddress.parse("address", text);
        } catch (IllegalArgumentException wrong) {
            throw new RequestRefused(ProblemKind.MALFORMED, String.valueOf(wrong.getMessage()));
        }
    }

    /** Returns a text for people, of bounded length; {@code absent} if the request has none. */
    public static String text(String name, @Nullable String value, String absent) {
        if (value != null && value.length() > LONGEST_TEXT) {
            throw new RequestRefused(
                    ProblemKind.MALFORMED,
                    "'%s' has %d characters, accepted are %d".formatted(name, value.length(), LONGEST_TEXT));
        }
        if (value != null && !StandardCharsets.UTF_8.newEncoder().canEncode(value)) {
            throw new RequestRefused(
                    ProblemKind.MALFORMED, "'%s' has half of a surrogate pair, which is no character".formatted(name));
        }
        return value == null ? absent : value;
    }
}
