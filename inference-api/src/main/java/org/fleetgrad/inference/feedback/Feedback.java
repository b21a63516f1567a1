package org.fleetgrad.inference.feedback;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.fleetgrad.files.text.Printable;
import org.fleetgrad.inference.feedback.AnswerIds.Answer;
import org.fleetgrad.inference.feedback.FeedbackOutcome.Taken;
import org.fleetgrad.inference.feedback.FeedbackOutcome.UnfitLabel;
import org.fleetgrad.inference.feedback.FeedbackOutcome.UnknownAnswer;
import org.fleetgrad.protocol.HeldOutScore;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.serving.Images;
import org.fleetgrad.serving.PredictionResult;
import org.fleetgrad.serving.PredictionResult.Amount;
import org.fleetgrad.serving.PredictionResult.Prediction;
import org.fleetgrad.serving.PredictionResult.Scores;

/**
 * Names answers, and takes the true labels of their predictions later: the live accuracy of each version. An answer that waits for its label takes
 * one bit a prediction, so the memory is bounded whatever clients send or leave out (ADR 55). Thread-safe.
 */
public final class Feedback {

    /** Bytes of a key. */
    public static final int KEY_BYTES = 32;

    /** Squares of larger errors would have no finite sum. */
    static final double MOST_VALUE = 1e100;

    private static final int MOST_NAMED = 20;
    private static final int MOST_ID_CHARACTERS = 80;
    private static final String COMPLETION = "cmpl-";

    private final AnswerIds ids;
    private final Learning learning;
    // What follows is guarded by this.
    private final SpentSamples spent;
    private final LiveVersions versions = new LiveVersions();
    private long counted;
    private long repeated;

    /**
     * Makes a place for feedback.
     *
     * @param bytes memory that remembers which predictions had feedback, a bit for each
     * @param key   32 random bytes that no client knows; with another key, ids are unknown
     */
    public Feedback(long bytes, byte[] key) {
        this(bytes, key, Learning.NONE);
    }

    /**
     * Makes a place for feedback that is learned from.
     *
     * @param learning gets every answer, and the first label of each prediction
     */
    public Feedback(long bytes, byte[] key, Learning learning) {
        this.learning = learning;
        this.ids = new AnswerIds(key);
        this.spent = new SpentSamples(bytes);
    }

    /**
     * Returns the id of an answer, for its later feedback; empty for labels, of which several are true at once.
     *
     * @param request what was asked, to learn from it
     */
    public Optional<String> idOf(
            PredictionResult result, List<? extends Prediction> predictions, Optional<Images> request) {
        boolean isOfClasses = predictions.get(0) instanceof Scores;
        double[] predicted = new double[predictions.size()];
        for (int i = 0; i < predicted.length; i++) {
            if (predictions.get(i) instanceof Scores scores) {
                predicted[i] = scores.index();
            } else if (predictions.get(i) instanceof Amount amount && Math.abs(amount.value()) <= MOST_VALUE) {
                predicted[i] = amount.value();
            } else {
                return Optional.empty();
            }
        }
        List<String> classes = isOfClasses ? result.description().classes() : List.of();
        if (isOfClasses && classes.size() != result.network().outputs()) {
            return Optional.empty();
        }
        Answer answer;
        synchronized (this) {
            answer = new Answer(
                    isOfClasses,
                    versions.of(result.version(), classes).number,
                    spent.assign(predicted.length),
                    predicted);
        }
        request.ifPresent(samples -> learning.answered(answer.first(), result, samples));
        return Optional.of(ids.write(answer));
    }

    /** A label of a prediction that fits. */
    private record Fit(LiveVersions.Slot slot, long sequence, double predicted, Label label) {}

    /** Counts labels: all of them, or none. Of a prediction the first label counts, whatever the others are. */
    public FeedbackOutcome take(List<Given> given) {
        List<Optional<Answer>> answers =
                given.stream().map(each -> ids.read(each.answer())).toList();
        synchronized (this) {
            List<Fit> fits = new ArrayList<>();
            for (int i = 0; i < given.size(); i++) {
                Optional<FeedbackOutcome> wrong = fit(given.get(i), answers.get(i), fits);
                if (wrong.isPresent()) {
                    return wrong.get();
                }
            }
            int first = (int) fits.stream().filter(this::count).count();
            counted += first;
            repeated += fits.size() - first;
            return new Taken(first, fits.size() - first);
        }
    }

    private static String counted(int number, String what) {
        return number == 1 ? "1 " + what : "%d %ss".formatted(number, what);
    }

    /** Adds the labels of an answer to those that fit, or returns what is wrong with them. */
    private Optional<FeedbackOutcome> fit(Given given, Optional<Answer> found, List<Fit> fits) {
        if (found.isEmpty()) {
            return Optional.of(new UnknownAnswer(unknown(given.answer())));
        }
        Answer answer = found.get();
        Optional<LiveVersions.Slot> slot = versions.slot(answer.slot());
        if (slot.isEmpty()) {
            return Optional.of(new UnknownAnswer(
                    "the version of answer '%s' is forgotten: %d versions that answered later are remembered, of at most %d lists of classes"
                            .formatted(shown(given.answer()), LiveVersions.MOST_VERSIONS, LiveVersions.MOST_LISTS)));
        }
        if (!spent.isRemembered(answer.first())) {
            return Optional.of(new UnknownAnswer(
                    "the answer '%s' is too old: %d predictions were made after it, and the newest %d are remembered (inference.feedback.memory)"
                            .formatted(shown(given.answer()), spent.after(answer.first()), spent.remembered())));
        }
        if (given.labels().size() != answer.predicted().length) {
            return Optional.of(new UnfitLabel("the answer '%s' has %s; %s came"
                    .formatted(
                            shown(given.answer()),
                            counted(answer.predicted().length, "prediction"),
                            counted(given.labels().size(), "label"))));
        }
        for (int i = 0; i < given.labels().size(); i++) {
            Label label = given.labels().get(i);
            Optional<String> wrong = unfit(label, slot.get());
            if (wrong.isPresent()) {
                return Optional.of(new UnfitLabel("label %d of the answer '%s' does not fit: %s"
                        .formatted(i, shown(given.answer()), wrong.get())));
            }
            if (!(label instanceof Label.Unknown)) {
                fits.add(new Fit(slot.get(), answer.first() + i, answer.predicted()[i], label));
            }
        }
        return Optional.empty();
    }

    private static String unknown(String id) {
        return id.startsWith(COMPLETION)
                ? "'%s' is a completion: a text has no label, so completions take no feedback".formatted(shown(id))
                : "this service gave no answer '%s': ids of another service, of a replica, and of one before its restart are unknown"
                        .formatted(shown(id));
    }

    private static String shown(String id) {
        return Printable.text(id.length() > MOST_ID_CHARACTERS ? id.substring(0, MOST_ID_CHARACTERS) + "…" : id);
    }

    private static Optional<String> unfit(Label label, LiveVersions.Slot slot) {
        if (label instanceof Label.Named named) {
            return slot.isOfClasses
                    ? Optional.of(named)
                            .filter(one -> !slot.classes.names().contains(one.name()))
                            .map(one -> "there is no class '%s'; the %d classes are %s"
                                    .formatted(
                                            shown(one.name()),
                                            slot.classes.list().size(),
                                            names(slot.classes.list())))
                    : Optional.of(
                            "the text '%s' is no number, and numbers are predicted".formatted(shown(named.name())));
        }
        if (!(label instanceof Label.Numbered numbered)) {
            return Optional.empty();
        }
        double value = numbered.value();
        if (!slot.isOfClasses) {
            return Math.abs(value) <= MOST_VALUE
                    ? Optional.empty()
                    : Optional.of("the number must be from -%1$s to %1$s; it is %2$s".formatted(MOST_VALUE, value));
        }
        return value == Math.rint(value)
                        && value >= 0
                        && value < slot.classes.list().size()
                ? Optional.empty()
                : Optional.of("a number of a class is from 0 to %d; it is %s"
                        .formatted(slot.classes.list().size() - 1, value));
    }

    private static List<String> names(List<String> classes) {
        return classes.size() <= MOST_NAMED ? classes : classes.subList(0, MOST_NAMED);
    }

    /** Counts a label; returns whether it is the first of its prediction. */
    private boolean count(Fit fit) {
        if (!spent.spend(fit.sequence())) {
            return false;
        }
        LiveVersions.Slot slot = fit.slot();
        if (slot.isOfClasses) {
            learning.labelled(fit.sequence(), slot.classes.list(), number(fit.label(), slot));
        }
        if (fit.label() instanceof Label.Named named) {
            slot.count(slot.classes.list().get((int) fit.predicted()).equals(named.name()));
        } else if (fit.label() instanceof Label.Numbered numbered && slot.isOfClasses) {
            slot.count(fit.predicted() == numbered.value());
        } else if (fit.label() instanceof Label.Numbered numbered) {
            slot.count(fit.predicted() - numbered.value());
        }
        return true;
    }

    private static int number(Label label, LiveVersions.Slot slot) {
        return label instanceof Label.Named named
                ? slot.classes.list().indexOf(named.name())
                : (int) ((Label.Numbered) label).value();
    }

    /** Returns a version's figures; empty if it has no feedback. */
    public synchronized Optional<LiveFigures> of(ParameterVersion version) {
        return versions.figures(version);
    }

    /** Returns the live accuracy of a version as the score that policies compare, once so many labels have come. */
    public Optional<HeldOutScore> score(ParameterVersion version, int labels) {
        return of(version)
                .filter(figures -> figures.samples() >= labels)
                .flatMap(LiveFigures::accuracy)
                .map(HeldOutScore::ofAccuracy);
    }

    /** Returns the figures of versions with feedback: of those that answered last, the last one first. */
    public synchronized List<LiveFigures> last(int most) {
        return versions.last(most);
    }

    /** Returns how many labels counted so far. */
    public synchronized long counted() {
        return counted;
    }

    /** Returns how many labels changed nothing, since their predictions had one. */
    public synchronized long repeated() {
        return repeated;
    }
}
