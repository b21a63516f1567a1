package org.fleetgrad.optim;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The text of a setting that consists of a name and arguments: {@code name} or {@code name:a=1,b=2,3}. A value without a
 * key belongs to the key before it. The reader of a setting takes the arguments that it knows, and then refuses the rest.
 */
final class SpecText {

    private static final String NUMBER = "-?\\d{1,15}(\\.\\d{1,20})?([eE]-?\\d{1,3})?";

    /** The whole number up to which a double counts one by one. */
    static final long LARGEST_WHOLE = 1L << 53;

    private final SpecForms forms;
    private final String text;
    private final String name;
    private final Map<String, List<String>> arguments = new LinkedHashMap<>();

    private SpecText(SpecForms forms, String text, String name) {
        this.forms = forms;
        this.text = text;
        this.name = name;
    }

    /**
     * Reads a setting.
     *
     * @throws IllegalArgumentException if the text has another form
     */
    static SpecText parse(SpecForms forms, String text) {
        int colon = text.indexOf(':');
        String name = colon < 0 ? text : text.substring(0, colon);
        SpecText read = new SpecText(forms, text, name.toLowerCase(Locale.ROOT));
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

    /**
     * Adds arguments that were given outside of the text.
     *
     * @throws IllegalArgumentException if the text has one of them, too
     */
    void add(Map<String, String> further) {
        further.forEach((key, value) -> {
            if (arguments.put(key, List.of(value)) != null) {
                throw new IllegalArgumentException("the %s '%s' has %s, and it is given a second time: %s"
                        .formatted(forms.what(), text, key, value));
            }
        });
    }

    /** Takes an argument of one number. */
    OptionalDouble number(String key) {
        List<Double> given = numbers(key);
        if (given.size() > 1) {
            throw new IllegalArgumentException("%s is one number; there are %s".formatted(key, given));
        }
        return given.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(given.get(0));
    }

    /** Takes an argument of one number, which may be left out. */
    float number(String key, float absent) {
        OptionalDouble given = number(key);
        return given.isPresent() ? (float) given.getAsDouble() : absent;
    }

    /** Takes an argument of one whole number from 0 to {@code most}, which may be left out. */
    long whole(String key, long absent, long most) {
        double given = number(key).orElse((double) absent);
        if (given != Math.rint(given) || given < 0 || given > most) {
            throw new IllegalArgumentException(
                    "%s is a whole number from 0 to %d; it is %s".formatted(key, most, given));
        }
        return (long) given;
    }

    /** Returns whether an argument is given that nobody took yet. */
    boolean has(String key) {
        return arguments.containsKey(key);
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

    /** Takes an argument that is true or false; false if it is absent. */
    boolean flag(String key) {
        String given =
                String.join(",", Optional.ofNullable(arguments.remove(key)).orElse(List.of("false")));
        if (!given.equals("true") && !given.equals("false")) {
            throw new IllegalArgumentException("%s is true or false; it is '%s'".formatted(key, given));
        }
        return given.equals("true");
    }

    /** Refuses the arguments that nobody took. */
    void requireNoMore() {
        if (!arguments.isEmpty()) {
            throw new IllegalArgumentException("the %s '%s' has no %s: %s"
                    .formatted(forms.what(), name, String.join(", ", arguments.keySet()), forms.help()));
        }
    }

    IllegalArgumentException unknown() {
        return new IllegalArgumentException("there is no %s '%s': %s".formatted(forms.what(), name, forms.help()));
    }

    IllegalArgumentException needs(String missing) {
        return new IllegalArgumentException(
                "the %s '%s' needs %s: %s".formatted(forms.what(), text, missing, forms.help()));
    }

    private IllegalArgumentException malformed() {
        return new IllegalArgumentException("the %s '%s' is malformed: %s".formatted(forms.what(), text, forms.help()));
    }
}
