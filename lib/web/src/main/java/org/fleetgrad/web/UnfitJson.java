package org.fleetgrad.web;

import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.fleetgrad.files.text.Printable;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JacksonException.Reference;
import tools.jackson.core.JsonToken;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.databind.exc.InvalidFormatException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;

/**
 * Says what is wrong with a JSON body: the member, what it must be, and what it is. Jackson's own messages name classes and settings of
 * this program, which tell a client nothing.
 */
public final class UnfitJson {

    /** A constant, a class, or a piece of code in a message. */
    private static final Pattern INTERNAL = Pattern.compile("[A-Z]{2,}_[A-Z]|\\w\\.\\w+\\.\\w|[`$]");

    /** Where in the program a limit is set. */
    private static final Pattern LIMIT = Pattern.compile(", from `[^`]*`");

    /** The value in Jackson's message about a number that is too large. */
    private static final Pattern IN_BRACKETS = Pattern.compile("\\((-?\\d+)\\)");

    private static final int LONGEST_NUMBER = 40;

    private UnfitJson() {}

    /** Describes a body that could not be read. */
    public static String text(JacksonException wrong) {
        if (wrong instanceof UnrecognizedPropertyException unknown) {
            return "the request has no member '%s'; its members are %s"
                    .formatted(Printable.text(member(unknown.getPath())), unknown.getKnownPropertyIds());
        }
        if (wrong instanceof MismatchedInputException unfit) {
            return unfit(unfit);
        }
        if (wrong instanceof InputCoercionException large) {
            return tooLarge(large);
        }
        return "the body is not JSON" + where(wrong);
    }

    /** Says where something stops being JSON and why, after a colon. */
    public static String where(JacksonException wrong) {
        // What is too deep or too long has no place.
        TokenStreamLocation place = wrong.getLocation();
        return place == null
                ? reason(wrong)
                : ": line %d, column %d%s"
                        .formatted(Math.max(1, place.getLineNr()), Math.max(1, place.getColumnNr()), reason(wrong));
    }

    private static String unfit(MismatchedInputException unfit) {
        String member = member(unfit.getPath());
        String kind = kind(unfit.getTargetType());
        if (member.isEmpty()) {
            return "the body must be %s; it is something else".formatted(kind);
        }
        return "'%s' must be %s; it is %s".formatted(Printable.text(member), kind, found(unfit));
    }

    /** Describes the value, and quotes none but a number: where a text is expected, it may be a key. */
    private static String found(MismatchedInputException unfit) {
        JsonToken token = unfit.getCurrentToken();
        if (token == null) {
            return "something else";
        }
        return switch (token) {
            case END_OBJECT -> "missing";
            case VALUE_NULL -> "null";
            case VALUE_TRUE, VALUE_FALSE -> "true or false";
            case VALUE_STRING -> "a text";
            case START_ARRAY, END_ARRAY -> "a list";
            case START_OBJECT, PROPERTY_NAME -> "an object";
            case VALUE_NUMBER_FLOAT ->
                isWhole(unfit.getTargetType()) && unfit instanceof InvalidFormatException format
                        ? format.getValue() + ", with a fraction or an exponent"
                        : "a number";
            case VALUE_NUMBER_INT -> "a number";
            default -> "something else";
        };
    }

    /** Describes a whole number that its member's type does not hold. */
    private static String tooLarge(InputCoercionException large) {
        boolean isInt = large.getTargetType() == int.class || large.getTargetType() == Integer.class;
        Matcher number = IN_BRACKETS.matcher(String.valueOf(large.getOriginalMessage()));
        return "'%s' must be a whole number from %d to %d; it is %s"
                .formatted(
                        Printable.text(member(large.getPath())),
                        isInt ? Integer.MIN_VALUE : Long.MIN_VALUE,
                        isInt ? Integer.MAX_VALUE : Long.MAX_VALUE,
                        number.find() ? Printable.text(number.group(1), LONGEST_NUMBER) : "none of them");
    }

    private static boolean isWhole(@Nullable Class<?> type) {
        return type == long.class || type == Long.class || type == int.class || type == Integer.class;
    }

    private static String kind(@Nullable Class<?> type) {
        if (type == null) {
            return "as the contract says";
        }
        if (type == boolean.class || type == Boolean.class) {
            return "true or false";
        }
        if (isWhole(type)) {
            return "a whole number";
        }
        if (Number.class.isAssignableFrom(type) || type.isPrimitive()) {
            return "a number";
        }
        if (CharSequence.class.isAssignableFrom(type)) {
            return "a text";
        }
        return type.isArray() || Collection.class.isAssignableFrom(type) ? "a list" : "an object";
    }

    /** Returns a member with those that it is in, such as {@code binary.recall} or {@code shards.0.samples}. */
    private static String member(List<Reference> path) {
        return path.stream()
                .map(step ->
                        step.getPropertyName() == null ? Integer.toString(step.getIndex()) : step.getPropertyName())
                .collect(Collectors.joining("."));
    }

    private static String reason(JacksonException wrong) {
        String message = LIMIT.matcher(String.valueOf(wrong.getOriginalMessage())
                        .lines()
                        .findFirst()
                        .orElse(""))
                .replaceAll("");
        return message.isEmpty() || INTERNAL.matcher(message).find() ? "" : ": " + Printable.text(message);
    }
}
