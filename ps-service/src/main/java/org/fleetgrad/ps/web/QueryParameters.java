package org.fleetgrad.ps.web;

import jakarta.servlet.http.HttpServletRequest;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.OptionalLong;
import org.fleetgrad.protocol.encoding.Encodings;
import org.fleetgrad.protocol.encoding.ParameterEncoding;
import org.jspecify.annotations.Nullable;

/**
 * Reads the parameters of a query, or refuses the request with what they may be. The servlet's own reading of parameters
 * would take a body that claims to be a form for more of them, and fail where their encoding is broken.
 */
final class QueryParameters {

    private QueryParameters() {}

    static OptionalLong wholeNumber(HttpServletRequest request, String name, long smallest, long largest) {
        String text = value(request, name);
        if (text == null) {
            return OptionalLong.empty();
        }
        try {
            long value = Long.parseLong(text);
            if (value >= smallest && value <= largest) {
                return OptionalLong.of(value);
            }
        } catch (NumberFormatException notANumber) {
            // Falls through: it is refused as any other wrong value is.
        }
        throw invalid(name, text, "a whole number from %d to %d".formatted(smallest, largest));
    }

    static boolean isTrue(HttpServletRequest request, String name) {
        String text = value(request, name);
        if (text == null || text.equals("false")) {
            return false;
        }
        if (text.equals("true")) {
            return true;
        }
        throw invalid(name, text, "true or false");
    }

    /** Reads what parameters are to travel as: float32 where nothing is said. */
    static ParameterEncoding encoding(HttpServletRequest request) {
        String text = value(request, "encoding");
        if (text == null) {
            return Encodings.PLAIN;
        }
        try {
            return Encodings.parseOfParameters(text);
        } catch (IllegalArgumentException unknown) {
            throw invalid("encoding", text, "one of " + String.join(", ", Encodings.OF_PARAMETERS));
        }
    }

    private static @Nullable String value(HttpServletRequest request, String name) {
        String query = request.getQueryString();
        if (query == null) {
            return null;
        }
        for (String parameter : query.split("&")) {
            String[] parts = parameter.split("=", 2);
            if (parts[0].equals(name)) {
                return parts.length == 1 ? "" : decoded(parts[1]);
            }
        }
        return null;
    }

    private static String decoded(String value) {
        try {
            return URLDecoder.decode(value, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException malformed) {
            // As it came: no rule accepts a percent sign.
            return value;
        }
    }

    private static RequestRefused invalid(String name, String value, String expected) {
        return new RequestRefused(
                ProblemKind.INVALID_PARAMETER,
                "the parameter '%s' must be %s; it is '%s'".formatted(name, expected, value),
                Map.of("parameter", name));
    }
}
