package org.fleetgrad.optim;

import java.util.List;
import java.util.OptionalDouble;

/**
 * A learning-rate schedule as a setting: the shape of the schedule, apart from the learning rate with which it begins.
 * Lengths are numbers of epochs or of samples, as the place of the setting says. {@link #parse} reads what
 * {@link #toString} prints.
 *
 * @param shape  how the learning rate falls
 * @param warmup length of the warm-up, which multiplies the schedule; 0 for none
 */
public record ScheduleSpec(Shape shape, double warmup) {

    /** A constant learning rate without a warm-up. */
    public static final ScheduleSpec CONSTANT = new ScheduleSpec(new Shape.Constant(), 0);

    private static final double GAMMA = 0.1;

    private static final SpecForms FORMS = SpecForms.of(
            "schedule",
            "the learning rate",
            5,
            "constant",
            "the same learning rate for all steps",
            "cosine",
            "along half a cosine to 0 at the end of the run; in samples it needs `total`",
            "cosine:total=90,minimum=0.001",
            "along half a cosine to 0.001 after 90, which it keeps from there on",
            "step:every=30,gamma=0.1",
            "times gamma after every 30; gamma may be left out: 0.1",
            "step:milestones=80,120,gamma=0.1",
            "times gamma after 80, and again after 120",
            "constant:warmup=5",
            "`warmup` belongs to every schedule: over the first 5 a factor rises from 0.01 to 1 and multiplies the"
                    + " schedule, whose own lengths count from the same beginning");

    public ScheduleSpec {
        if (!(warmup >= 0) || !Double.isFinite(warmup)) {
            throw new IllegalArgumentException("the warm-up must be 0 or more; it is " + warmup);
        }
    }

    /** How the learning rate falls. */
    public sealed interface Shape {

        /** It stays. */
        record Constant() implements Shape {}

        /**
         * It is multiplied by gamma again and again.
         *
         * @param every length between two decays
         * @param gamma factor of each decay
         */
        record Step(double every, double gamma) implements Shape {

            public Step {
                positive("the length between two decays", every);
                positive("gamma of the schedule", gamma);
            }
        }

        /**
         * It is multiplied by gamma at each milestone.
         *
         * @param milestones each later than the one before
         * @param gamma      factor of each decay
         */
        record Milestones(List<Double> milestones, double gamma) implements Shape {

            /** What still fits into a variable of the environment. */
            private static final int MOST = 1_000;

            public Milestones {
                milestones = List.copyOf(milestones);
                if (milestones.size() > MOST) {
                    throw new IllegalArgumentException(
                            "a schedule has at most %d milestones; it has %d".formatted(MOST, milestones.size()));
                }
                positive("gamma of the schedule", gamma);
                double before = 0;
                for (double milestone : milestones) {
                    if (!(milestone > before) || !Double.isFinite(milestone)) {
                        throw new IllegalArgumentException(
                                "each milestone must be later than the one before, and above 0; they are "
                                        + milestones);
                    }
                    before = milestone;
                }
            }
        }

        /**
         * It falls along half a cosine.
         *
         * @param total   length until the minimum; if it is absent, the run's
         * @param minimum the last learning rate
         */
        record Cosine(OptionalDouble total, double minimum) implements Shape {

            public Cosine {
                total.ifPresent(length -> positive("the length until the minimum", length));
                if (!(minimum >= 0) || !Double.isFinite(minimum)) {
                    throw new IllegalArgumentException("the minimum learning rate must be 0 or more; it is " + minimum);
                }
            }
        }

        private static void positive(String name, double value) {
            if (!(value > 0) || !Double.isFinite(value)) {
                throw new IllegalArgumentException("%s must be above 0; it is %s".formatted(name, value));
            }
        }
    }

    /**
     * Reads a schedule.
     *
     * @throws IllegalArgumentException if the text is not a schedule; the message says what to write
     */
    public static ScheduleSpec parse(String text) {
        SpecText given = SpecText.parse(FORMS, text);
        double warmup = given.number("warmup").orElse(0);
        Shape shape = switch (given.name()) {
            case "constant" -> new Shape.Constant();
            case "step" -> step(given);
            case "cosine" ->
                new Shape.Cosine(given.number("total"), given.number("minimum").orElse(0));
            default -> throw given.unknown();
        };
        given.requireNoMore();
        return new ScheduleSpec(shape, warmup);
    }

    private static Shape step(SpecText given) {
        OptionalDouble every = given.number("every");
        List<Double> milestones = given.numbers("milestones");
        double gamma = given.number("gamma").orElse(GAMMA);
        if (milestones.isEmpty() == every.isEmpty()) {
            throw given.needs("either every or milestones");
        }
        return every.isPresent() ? new Shape.Step(every.getAsDouble(), gamma) : new Shape.Milestones(milestones, gamma);
    }

    /** Returns this schedule with another warm-up. */
    public ScheduleSpec withWarmup(double length) {
        return new ScheduleSpec(shape, length);
    }

    /** Returns the learning rate at the end of a cosine; 0 for other shapes. */
    public double minimum() {
        return shape instanceof Shape.Cosine cosine ? cosine.minimum() : 0;
    }

    /**
     * Turns lengths in epochs into lengths in samples: the nearest whole number, and at least one.
     *
     * @param samples of an epoch
     * @param epochs  of the run
     * @throws IllegalArgumentException if two milestones are at the same sample, or a length is too many samples
     */
    public ScheduleSpec inSamples(long samples, int epochs) {
        Shape inSamples;
        if (shape instanceof Shape.Step step) {
            inSamples = new Shape.Step(inSamples(step.every(), samples), step.gamma());
        } else if (shape instanceof Shape.Milestones steps) {
            inSamples = new Shape.Milestones(
                    steps.milestones().stream()
                            .map(epoch -> inSamples(epoch, samples))
                            .toList(),
                    steps.gamma());
        } else if (shape instanceof Shape.Cosine cosine) {
            inSamples = new Shape.Cosine(
                    OptionalDouble.of(inSamples(cosine.total().orElse(epochs), samples)), cosine.minimum());
        } else {
            inSamples = shape;
        }
        return new ScheduleSpec(inSamples, warmup == 0 ? 0 : inSamples(warmup, samples));
    }

    private static double inSamples(double epochs, long samples) {
        return samples(Math.max(1, Math.floor(epochs * (double) samples + 0.5)));
    }

    /**
     * Returns the schedule, if the lengths are in samples.
     *
     * @param base the first learning rate
     * @throws IllegalArgumentException if a length is not a whole number of samples, or a cosine has none
     */
    public LearningRateSchedule startingAt(float base) {
        LearningRateSchedule plain = plain(base);
        return warmup == 0 ? plain : new LearningRateSchedule.LinearWarmup(samples(warmup), plain);
    }

    private LearningRateSchedule plain(float base) {
        if (shape instanceof Shape.Step step) {
            return new LearningRateSchedule.StepDecay(base, samples(step.every()), (float) step.gamma());
        }
        if (shape instanceof Shape.Milestones steps) {
            return new LearningRateSchedule.Milestones(
                    base, steps.milestones().stream().map(ScheduleSpec::samples).toList(), (float) steps.gamma());
        }
        if (shape instanceof Shape.Cosine cosine) {
            double total = cosine.total()
                    .orElseThrow(() -> new IllegalArgumentException(
                            "the schedule '%s' needs total, the samples until the minimum, such as cosine:total=600000"
                                    .formatted(this)));
            return new LearningRateSchedule.Cosine(base, samples(total), (float) cosine.minimum());
        }
        return new LearningRateSchedule.Constant(base);
    }

    private static long samples(double length) {
        if (length != Math.rint(length) || length > SpecText.LARGEST_WHOLE) {
            throw new IllegalArgumentException(
                    "lengths of the schedule are whole numbers of samples here, at most %d, such as 600000; one is %s"
                            .formatted(SpecText.LARGEST_WHOLE, length));
        }
        return (long) length;
    }

    /** Prints the schedule as {@link #parse} reads it. */
    @Override
    public String toString() {
        return write().unless(0.0, "warmup", warmup).toString();
    }

    private SpecWriter write() {
        if (shape instanceof Shape.Step step) {
            return new SpecWriter("step").with("every", step.every()).with("gamma", step.gamma());
        }
        if (shape instanceof Shape.Milestones steps) {
            return new SpecWriter("step")
                    .with(
                            "milestones",
                            steps.milestones().stream()
                                    .mapToDouble(Double::doubleValue)
                                    .toArray())
                    .with("gamma", steps.gamma());
        }
        if (shape instanceof Shape.Cosine cosine) {
            SpecWriter written = new SpecWriter("cosine");
            cosine.total().ifPresent(total -> written.with("total", total));
            return written.unless(0.0, "minimum", cosine.minimum());
        }
        return new SpecWriter("constant");
    }

    /** Returns the table of the forms that {@link #parse} reads, as docs/configuration.md shows it. */
    public static String documentation() {
        return FORMS.table();
    }
}
