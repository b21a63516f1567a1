package org.fleetgrad.runs.settings;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A learning-rate schedule in the syntax of the command line, with lengths in epochs:
 *
 * <pre>
 * constant
 * cosine                                  to 0 at the end of the last epoch; or cosine:minimum=0.001
 * step:every=30,gamma=0.1                 a decay every 30 epochs
 * step:milestones=80,120,gamma=0.1        a decay after 80 epochs, and another one after 120
 * </pre>
 *
 * @param kind       the schedule
 * @param milestones in epochs, if the kind has some
 * @param every      epochs between two decays, if the kind has some
 * @param gamma      factor of each decay
 * @param minimum    learning rate at the end of the cosine
 */
public record ScheduleSettings(Kind kind, List<Double> milestones, double every, double gamma, double minimum) {

    /** A constant learning rate. */
    public static final ScheduleSettings CONSTANT = new ScheduleSettings(Kind.CONSTANT, List.of(), 0, 0, 0);

    private static final double GAMMA = 0.1;
    private static final String FORMS =
            "write constant, cosine, cosine:minimum=0.001, step:every=30,gamma=0.1 or step:milestones=80,120,gamma=0.1";

    /** The schedules of ps-service. */
    public enum Kind {
        CONSTANT,
        STEP,
        MILESTONES,
        COSINE
    }

    public ScheduleSettings {
        milestones = List.copyOf(milestones);
    }

    /**
     * Reads a schedule.
     *
     * @throws IllegalArgumentException if the text is no schedule; the message says what to write
     */
    public static ScheduleSettings parse(String text) {
        int colon = text.indexOf(':');
        String name = (colon < 0 ? text : text.substring(0, colon)).toLowerCase(Locale.ROOT);
        Map<String, List<Double>> arguments = arguments(text, colon < 0 ? "" : text.substring(colon + 1));
        ScheduleSettings schedule = switch (name) {
            case "constant" -> CONSTANT;
            case "cosine" -> new ScheduleSettings(Kind.COSINE, List.of(), 0, 0, take(arguments, "minimum", 0));
            case "step" -> step(text, arguments);
            default -> throw new IllegalArgumentException("there is no schedule '%s': %s".formatted(name, FORMS));
        };
        if (!arguments.isEmpty()) {
            throw new IllegalArgumentException(
                    "the schedule '%s' has no %s: %s".formatted(name, String.join(", ", arguments.keySet()), FORMS));
        }
        return schedule;
    }

    private static ScheduleSettings step(String text, Map<String, List<Double>> arguments) {
        List<Double> milestones = arguments.getOrDefault("milestones", List.of());
        double every = take(arguments, "every", 0);
        double gamma = take(arguments, "gamma", GAMMA);
        arguments.remove("milestones");
        if (milestones.isEmpty() == (every == 0)) {
            throw new IllegalArgumentException(
                    "the schedule '%s' needs either every or milestones: %s".formatted(text, FORMS));
        }
        if (gamma <= 0) {
            throw new IllegalArgumentException("gamma of the schedule must be above 0; it is " + gamma);
        }
        double before = 0;
        for (double milestone : milestones) {
            if (milestone <= before) {
                throw new IllegalArgumentException(
                        "each milestone must be later than the one before, and above 0; they are " + milestones);
            }
            before = milestone;
        }
        return new ScheduleSettings(every == 0 ? Kind.MILESTONES : Kind.STEP, milestones, every, gamma, 0);
    }

    /** Reads {@code a=1,2,b=3}: a number without a name belongs to the name before it. */
    private static Map<String, List<Double>> arguments(String text, String list) {
        Map<String, List<Double>> arguments = new LinkedHashMap<>();
        List<Double> newest = new ArrayList<>();
        for (String part : list.isEmpty() ? new String[0] : list.split(",", -1)) {
            int equals = part.indexOf('=');
            if (equals > 0) {
                newest = new ArrayList<>();
                if (arguments.put(part.substring(0, equals), newest) != null) {
                    throw malformed(text);
                }
            }
            newest.add(number(text, part.substring(equals + 1)));
        }
        if (arguments.isEmpty() && !list.isEmpty()) {
            throw malformed(text);
        }
        return arguments;
    }

    private static double number(String text, String digits) {
        if (!digits.matches("\\d{1,9}(\\.\\d{1,9})?([eE]-?\\d{1,2})?")) {
            throw malformed(text);
        }
        return Double.parseDouble(digits);
    }

    private static double take(Map<String, List<Double>> arguments, String name, double absent) {
        List<Double> given = arguments.remove(name);
        if (given == null) {
            return absent;
        }
        if (given.size() != 1) {
            throw new IllegalArgumentException("%s is one number; there are %s".formatted(name, given));
        }
        return given.get(0);
    }

    private static IllegalArgumentException malformed(String text) {
        return new IllegalArgumentException("'%s' is no schedule: %s".formatted(text, FORMS));
    }

    /**
     * Returns ps-service's settings as environment variables: there, lengths are in samples.
     *
     * @param samples of an epoch
     * @param epochs  of the run
     */
    Map<String, String> environment(long samples, int epochs) {
        Map<String, String> variables = new LinkedHashMap<>();
        variables.put("PS_SCHEDULE_NAME", kind.name().toLowerCase(Locale.ROOT));
        switch (kind) {
            case CONSTANT -> {}
            case STEP -> {
                variables.put("PS_SCHEDULE_STEPSAMPLES", Long.toString(inSamples(every, samples)));
                variables.put("PS_SCHEDULE_GAMMA", Double.toString(gamma));
            }
            case MILESTONES -> {
                variables.put(
                        "PS_SCHEDULE_MILESTONES",
                        milestones.stream()
                                .map(epoch -> Long.toString(inSamples(epoch, samples)))
                                .collect(Collectors.joining(",")));
                variables.put("PS_SCHEDULE_GAMMA", Double.toString(gamma));
            }
            case COSINE -> {
                variables.put("PS_SCHEDULE_TOTALSAMPLES", Long.toString(epochs * samples));
                variables.put("PS_SCHEDULE_MINIMUM", Double.toString(minimum));
            }
        }
        return variables;
    }

    /** Returns a number of epochs as samples: the nearest whole number, and at least one. */
    public static long inSamples(double epochs, long samples) {
        return Math.max(1, Math.round(epochs * (double) samples));
    }

    /** Writes the schedule as {@link #parse} reads it. */
    @Override
    public String toString() {
        return switch (kind) {
            case CONSTANT -> "constant";
            case STEP -> "step:every=%s,gamma=%s".formatted(every, gamma);
            case MILESTONES ->
                "step:milestones=%s,gamma=%s"
                        .formatted(milestones.stream().map(String::valueOf).collect(Collectors.joining(",")), gamma);
            case COSINE -> minimum == 0 ? "cosine" : "cosine:minimum=" + minimum;
        };
    }
}
