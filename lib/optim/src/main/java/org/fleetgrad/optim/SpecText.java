package org.fleetgrad.optim;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The text of a setting that consists of a name and arguments: {@code name} or {@code name:a=1,b=2,3}. A value without a
 * key belongs to the key before it. The reader of a setting takes the arguments that it knows, and then refuses the rest.
 */
final class SpecText {

    private static final String NUMBER = "\\d{1,15}(\\.\\d{1,20})?([eE]-?\\d{1,3})?";

    private final String what;
    private final String text;
    private final String forms;
    private final String name;
    private final Map<String, List<String>> arguments;

    private SpecText(String what, String text, String forms, String name, Map<String, List<String>> arguments) {
        this.what = what;
        this.text = text;
        this.forms = forms;
        this.name = name;
        this.arguments = arguments;
    }

    /**
     * Reads a setting.
     *
     * @param what  the setting in a word, for messages
     * @param forms what may be written, for messages
     * @throws IllegalArgumentException if the text has another form
     */
    static SpecText parse(String what, String forms, String text) {
        int colon = text.indexOf(':');
        String name = (colon < 0 ? text : text.substring(0, colon)).toLowerCase(Locale.ROOT);
        SpecText read = new SpecText(what, text, forms, name, new LinkedHashMap<>());
        if (colon >= 0) {
            read.readArguments(text.substring(colon + 1));
        }
        return read;
    }

    private void readArguments(String list) {
        List<String> newest = new ArrayList<>();
        for (String part : list.split(",", -1)) {
            int equals = part.indexOf('=');
            if (equals > 0) {
                newest = new ArrayList<>();
                if (arguments.put(part.substring(0, equals), newest) != null) {
                    throw malformed();
                }
            }
            if (arguments.isEmpty()) {
                throw malformed();
            }
            newest.add(part.substring(equals + 1));
        }
    }

    String name() {
        return name;
    }

    /** Takes an argument of one number. */
    OptionalDouble number(String key) {
        List<Double> given = numbers(key);
        if (given.size() > 1) {
            throw new IllegalArgumentException("%s is one number; there are %s".formatted(key, given));
        }
        return given.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(given.get(0));
    }

    /** Takes an argument of several numbers; empty if it is absent. */
    List<Double> numbers(String key) {
        List<String> given = arguments.remove(key);
        return given == null ? List.of() : given.stream().map(this::toNumber).toList();
    }

    private double toNumber(String digits) {
        if (!digits.matches(NUMBER)) {
            throw malformed();
        }
        return Double.parseDouble(digits);
    }

    /** Refuses the arguments that nobody took. */
    void requireNoMore() {
        if (!arguments.isEmpty()) {
            throw new IllegalArgumentException(
                    "the %s '%s' has no %s: %s".formatted(what, name, String.join(", ", arguments.keySet()), forms));
        }
    }

    IllegalArgumentException unknown() {
        return new IllegalArgumentException("there is no %s '%s': %s".formatted(what, name, forms));
    }

    IllegalArgumentException needs(String arguments) {
        return new IllegalArgumentException("the %s '%s' needs %s: %s".formatted(what, text, arguments, forms));
    }

    private IllegalArgumentException malformed() {
        return new IllegalArgumentException("'%s' is not a %s: %s".formatted(text, what, forms));
    }

    /** Writes a setting as {@link #parse} reads it. */
    static String print(String name, Map<String, List<Double>> arguments) {
        Function<List<Double>, String> values =
                each -> each.stream().map(SpecText::print).collect(Collectors.joining(","));
        return arguments.isEmpty()
                ? name
                : arguments.entrySet().stream()
                        .map(argument -> argument.getKey() + "=" + values.apply(argument.getValue()))
                        .collect(Collectors.joining(",", name + ":", ""));
    }

    /** Writes a number so that it is read back exactly. */
    private static String print(double number) {
        return number == Math.rint(number) && number < 1e15 ? Long.toString((long) number) : Double.toString(number);
    }
}
