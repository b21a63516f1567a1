package org.fleetgrad.ps.web.request;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.OptionalLong;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.encoding.Encodings;
import org.fleetgrad.protocol.encoding.ParameterEncoding;
import org.fleetgrad.protocol.encoding.ParameterForm;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a query. An invalid one refuses the request, with the allowed values.
 *
 * @param query as the client wrote it; {@code null} if the request has none
 */
public record QueryParameters(@Nullable String query) {

    /** Reads a whole number; empty if the query has none. */
    public OptionalLong wholeNumber(String name, long smallest, long largest) {
        String text = value(name);
        if (text == null) {
            return OptionalLong.empty();
        }
        try {
            long value = Long.parseLong(text);
            if (value >= smallest && value <= largest) {
                return OptionalLong.of(value);
            }
        } catch (NumberFormatException notANumber) {
            // Refused below, like any other wrong value.
        }
        throw invalid(name, text, "a whole number from %d to %d".formatted(smallest, largest));
    }

    /** Reads a flag; false if the query has none. */
    public boolean isTrue(String name) {
        String text = value(name);
        if (text == null || text.equals("false")) {
            return false;
        }
        if (text.equals("true")) {
            return true;
        }
        throw invalid(name, text, "true or false");
    }

    /** Reads the form in which the client wants the parameters: by default all tensors as float32. */
    public ParameterForm form() {
        String frozen = value(ParameterForm.FROZEN);
        if (frozen != null && !frozen.equals(ParameterForm.OMIT)) {
            throw invalid(ParameterForm.FROZEN, frozen, ParameterForm.OMIT);
        }
        return new ParameterForm(encoding(), frozen != null);
    }

    private ParameterEncoding encoding() {
        String text = value("encoding");
        if (text == null) {
            return Encodings.PLAIN;
        }
        try {
            return Encodings.parseOfParameters(text);
        } catch (IllegalArgumentException unknown) {
            throw invalid("encoding", text, "one of " + String.join(", ", Encodings.OF_PARAMETERS));
        }
    }

    /** Reads a text, or refuses a query without it. */
    public String required(String name) {
        String text = value(name);
        if (text == null) {
            throw new RequestRefused(
                    ProblemKind.INVALID_PARAMETER, "the request lacks the parameter '%s'".formatted(name));
        }
        return text;
    }

    private @Nullable String value(String name) {
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
            // Returned as received: it has a percent sign, which no rule accepts.
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
