package org.fleetgrad.optim;

import java.util.Map;

/** When gradients are taken, and when the pending gradients become a step. */
public sealed interface TrainingMode {

    /**
     * A step every so many gradients or samples, from any worker and of any staleness.
     *
     * @param step size of a step
     */
    record Async(StepSize step) implements TrainingMode {

        @Override
        public String toString() {
            return new SpecWriter("async")
                    .unless(1.0, "gradients", step.gradients() == 0 ? 1 : step.gradients())
                    .unless(0.0, "samples", (double) step.samples())
                    .toString();
        }

        public Async(int gradientsPerStep) {
            this(StepSize.ofGradients(gradientsPerStep));
        }

        @Override
        public String label() {
            return "async";
        }
    }

    /**
     * A step when the live workers have pushed for this version: synchronous SGD, staleness 0. The step takes the mean
     * of the first gradients; a later one is refused as stale (Chen et al., "Revisiting distributed synchronous SGD",
     * 2016).
     *
     * @param workersPerStep live workers that must have pushed; 0 for all but the backup workers. If fewer workers are
     *     live, all of them suffice, so that a dead worker cannot block the others
     * @param backupWorkers  live workers that may be late; only if {@code workersPerStep} is 0
     * @param aggregation    how their gradients become one
     */
    record Sync(int workersPerStep, int backupWorkers, Aggregation aggregation) implements TrainingMode {

        public Sync {
            Checks.notNegative("workers", workersPerStep);
            Checks.notNegative("backup-workers", backupWorkers);
            if (workersPerStep > 0 && backupWorkers > 0) {
                throw new IllegalArgumentException(
                        "workers=%d says how many make a step, so all others are backups: leave out backup-workers=%d"
                                .formatted(workersPerStep, backupWorkers));
            }
        }

        /** The mean of the gradients. */
        public Sync(int workersPerStep, int backupWorkers) {
            this(workersPerStep, backupWorkers, new Aggregation.Mean());
        }

        public Sync(int workersPerStep) {
            this(workersPerStep, 0);
        }

        @Override
        public String label() {
            return backupWorkers > 0 ? "backup" : "sync";
        }

        @Override
        public String toString() {
            return new SpecWriter("sync")
                    .unless(0.0, "workers", workersPerStep)
                    .unless(0.0, "backup-workers", backupWorkers)
                    .toString();
        }

        /** Returns how many of {@code live} workers make a step. */
        public int wanted(int live) {
            int wanted = workersPerStep > 0 ? Math.min(workersPerStep, live) : live - backupWorkers;
            return Math.max(1, wanted);
        }
    }

    /**
     * A step when gradients over enough samples have arrived for this version, from any worker: synchronous SGD whose
     * batch does not depend on the number of workers. A worker may push several times for one version.
     *
     * @param samplesPerStep samples that make a step
     */
    record SyncBySamples(long samplesPerStep) implements TrainingMode {

        public SyncBySamples {
            Checks.atLeastOne("samples", samplesPerStep);
        }

        @Override
        public String toString() {
            return new SpecWriter("sync")
                    .with("samples", (double) samplesPerStep)
                    .toString();
        }

        @Override
        public String label() {
            return "sync";
        }
    }

    /**
     * Stale synchronous parallel: every gradient makes a step, but a worker that leads the slowest live one by more
     * than {@code maxLead} gradients waits for it (Ho et al., "More effective distributed ML via a stale synchronous
     * parallel parameter server", NIPS 2013). 0 is a barrier at every iteration.
     *
     * @param maxLead iterations that a worker may be ahead of the slowest when it begins another; the paper's staleness
     *     bound
     */
    record Ssp(int maxLead) implements TrainingMode {

        static final double USUAL_LEAD = 3;

        public Ssp {
            Checks.notNegative("max-lead", maxLead);
        }

        @Override
        public String toString() {
            return new SpecWriter("ssp").unless(USUAL_LEAD, "max-lead", maxLead).toString();
        }

        @Override
        public String label() {
            return "ssp";
        }
    }

    /** Tells whether every gradient makes a step of its own. */
    default boolean isOneGradientAStep() {
        return this instanceof Ssp
                || (this instanceof Async async && async.step().isOneGradient());
    }

    /**
     * Checks that a staleness rule can act in this mode.
     *
     * @throws IllegalArgumentException if it cannot; the message gives the reason and what to write instead
     */
    default void requireFits(StalenessRule rule) {
        if (rule instanceof StalenessRule.None) {
            return;
        }
        if (isSynchronous()) {
            throw new IllegalArgumentException(
                    "the staleness rule %s never acts in mode %s, where every gradient has staleness 0: write the rule none, or the mode async or ssp"
                            .formatted(rule, label()));
        }
        boolean wantsOneGradient = rule instanceof StalenessRule.GapAware
                || rule instanceof StalenessRule.LookAhead
                || rule instanceof StalenessRule.LookAheadSlim;
        if (wantsOneGradient && !isOneGradientAStep()) {
            throw new IllegalArgumentException(
                    "the staleness rule %s knows one worker's gradient a step: write gradients=1, or the rule none, damped or delay-compensated"
                            .formatted(rule));
        }
    }

    /** Returns the mode's name in a word, for metrics and reports. */
    String label();

    /** Prints the mode as {@link #parse} reads it, without its aggregation. */
    @Override
    String toString();

    /**
     * Reads a mode.
     *
     * @param aggregation of its steps
     * @throws IllegalArgumentException if the text is not a mode, or the mode has no other aggregation than the mean; the
     *     message says what to write
     */
    static TrainingMode parse(String text, Aggregation aggregation) {
        return parse(text, Map.of(), aggregation);
    }

    /**
     * Reads a mode whose arguments are not all in the text.
     *
     * @param further the others, by their names
     * @throws IllegalArgumentException as {@link #parse(String, Aggregation)}, and if an argument is given twice
     */
    static TrainingMode parse(String text, Map<String, String> further, Aggregation aggregation) {
        SpecText given = SpecText.parse(forms(), text);
        given.add(further);
        TrainingMode mode = switch (given.name()) {
            case "async" -> new Async(stepSize(given));
            case "sync" ->
                given.has("samples")
                        ? bySamples(given)
                        : new Sync(
                                (int) given.whole("workers", 0, Integer.MAX_VALUE),
                                (int) given.whole("backup-workers", 0, Integer.MAX_VALUE),
                                aggregation);
            case "ssp" -> new Ssp((int) given.whole("max-lead", (long) Ssp.USUAL_LEAD, Integer.MAX_VALUE));
            default -> throw given.unknown();
        };
        given.requireNoMore();
        if (!mode.aggregation().equals(aggregation)) {
            throw new IllegalArgumentException("the aggregation %s needs the mode sync without samples; the mode is %s"
                    .formatted(aggregation, mode));
        }
        return mode;
    }

    private static SyncBySamples bySamples(SpecText given) {
        if (given.has("workers") || given.has("backup-workers")) {
            throw given.needs("either samples, or workers or backup-workers");
        }
        return new SyncBySamples(given.whole("samples", 0, SpecText.LARGEST_WHOLE));
    }

    private static StepSize stepSize(SpecText given) {
        if (given.has("gradients") && given.has("samples")) {
            throw given.needs("either gradients or samples");
        }
        return given.has("samples")
                ? StepSize.ofSamples(given.whole("samples", 0, SpecText.LARGEST_WHOLE))
                : StepSize.ofGradients((int) given.whole("gradients", 1, Integer.MAX_VALUE));
    }

    /** Returns the table of the modes that {@link #parse} reads, as docs/configuration.md shows it. */
    static String documentation() {
        return forms().table();
    }

    private static SpecForms forms() {
        return SpecForms.of(
                "mode",
                "when gradients become a step",
                7,
                "async",
                "each gradient is a step",
                "async:gradients=4",
                "the mean of 4 gradients is a step",
                "async:samples=256",
                "gradients over 256 samples are a step",
                "sync",
                "a step when all live workers have pushed",
                "sync:backup-workers=1",
                "a step when all live workers but 1 have pushed; a gradient that arrives later is answered stale."
                        + " `sync:workers=3`: when 3 have pushed, or all that are live",
                "sync:samples=1024",
                "a step when the gradients for a version are over 1024 samples, from any worker",
                "ssp:max-lead=3",
                "each gradient is a step; a worker that leads the slowest by more than 3 iterations waits. It may be left out: 3");
    }

    /** Returns how the gradients of a step become one. */
    default Aggregation aggregation() {
        return new Aggregation.Mean();
    }

    /** Tells whether only gradients on the newest version are taken. */
    default boolean isSynchronous() {
        return this instanceof Sync || this instanceof SyncBySamples;
    }

    /**
     * The size of a step: a number of gradients, or a number of training samples. With samples, the size of a step
     * depends neither on the number of workers nor on their batches.
     *
     * @param gradients gradients whose mean makes a step; 0 if samples decide
     * @param samples   samples that the gradients of a step are computed on; 0 if gradients decide
     */
    record StepSize(int gradients, long samples) {

        /** Checks that exactly one of the two numbers decides. */
        public StepSize {
            if (gradients < 0 || samples < 0 || (gradients == 0) == (samples == 0)) {
                throw new IllegalArgumentException(
                        "a step is made of gradients or of samples; they are %d and %d".formatted(gradients, samples));
            }
        }

        public static StepSize ofGradients(int gradients) {
            Checks.atLeastOne("gradients", gradients);
            return new StepSize(gradients, 0);
        }

        /** Returns a step of at least so many samples; the last gradient may add a few more. */
        public static StepSize ofSamples(long samples) {
            Checks.atLeastOne("samples", samples);
            return new StepSize(0, samples);
        }

        /** Tells whether every gradient makes a step of its own. */
        public boolean isOneGradient() {
            return gradients == 1;
        }

        /** Tells whether so many gradients over so many samples make a step. */
        public boolean isReached(int gradientsNow, long samplesNow) {
            return gradients > 0 ? gradientsNow >= gradients : samplesNow >= samples;
        }
    }
}
