package org.fleetgrad.inference.feedback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.files.statistics.WilsonInterval;
import org.fleetgrad.inference.feedback.FeedbackOutcome.Taken;
import org.fleetgrad.inference.feedback.FeedbackOutcome.UnfitLabel;
import org.fleetgrad.inference.feedback.FeedbackOutcome.UnknownAnswer;
import org.fleetgrad.inference.feedback.Label.Named;
import org.fleetgrad.inference.feedback.Label.Numbered;
import org.fleetgrad.networks.Task.ImageClassification;
import org.fleetgrad.protocol.HeldOutScore;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.serving.ModelDescription;
import org.fleetgrad.serving.PredictionResult;
import org.fleetgrad.serving.PredictionResult.Amount;
import org.fleetgrad.serving.PredictionResult.LabelAnswers;
import org.fleetgrad.serving.ServedNetwork;
import org.junit.jupiter.api.Test;

class FeedbackTest {

    private static final List<String> CLASSES = List.of("cat", "dog", "5");
    private static final ParameterVersion FIRST = new ParameterVersion("g", 1);
    private static final ParameterVersion SECOND = new ParameterVersion("g", 2);

    private final Feedback feedback = new Feedback(64, new byte[Feedback.KEY_BYTES]);

    /** An answer whose predictions are these classes. */
    private String answer(ParameterVersion version, int... classes) {
        return answer(version, CLASSES, classes);
    }

    private String answer(ParameterVersion version, List<String> names, int... classes) {
        float[] logits = new float[classes.length * names.size()];
        for (int i = 0; i < classes.length; i++) {
            logits[i * names.size() + classes[i]] = 1;
        }
        PredictionResult result = result(version, names, classes.length, logits);
        return feedback.idOf(result, result.predictions(), Optional.empty()).orElseThrow();
    }

    private static PredictionResult result(ParameterVersion version, List<String> names, int count, float... logits) {
        return new PredictionResult(
                version,
                new ServedNetwork("fake", new ImageClassification(List.of(1, 1, 1), names.size()), 1),
                new ModelDescription(new Normalization(List.of(0f), List.of(1f)), names),
                count,
                logits,
                List.of());
    }

    private String numbers(ParameterVersion version, double... values) {
        return feedback.idOf(
                        result(version, List.of("y"), values.length, new float[values.length]),
                        Arrays.stream(values)
                                .mapToObj(value -> new Amount("y", value))
                                .toList(),
                        Optional.empty())
                .orElseThrow();
    }

    private FeedbackOutcome take(String answer, Label... labels) {
        return feedback.take(List.of(new Given(answer, List.of(labels))));
    }

    @Test
    void shouldCountWhatWasRightOfEachVersion() {
        assertThat(take(answer(FIRST, 0, 1, 2), new Named("cat"), new Numbered(1), new Named("dog")))
                .isEqualTo(new Taken(3, 0));
        assertThat(take(answer(SECOND, 2), new Named("5"))).isEqualTo(new Taken(1, 0));

        LiveFigures first = feedback.of(FIRST).orElseThrow();
        assertThat(first.samples()).isEqualTo(3);
        assertThat(first.accuracy().orElseThrow()).isEqualTo(2 / 3.0);
        assertThat(first.interval()).contains(WilsonInterval.of(2, 3));
        assertThat(first.mae()).isEmpty();
        assertThat(feedback.of(SECOND).orElseThrow().accuracy()).contains(1.0);
        assertThat(feedback.of(new ParameterVersion("g", 3))).isEmpty();
        assertThat(feedback.last(10)).extracting(LiveFigures::version).containsExactly(SECOND, FIRST);
        assertThat(feedback.last(1)).hasSize(1);
    }

    @Test
    void shouldScoreAVersionOnceEnoughLabelsCame() {
        assertThat(take(answer(FIRST, 0, 1), new Named("cat"), new Named("cat")))
                .isEqualTo(new Taken(2, 0));

        assertThat(feedback.score(FIRST, 2)).contains(HeldOutScore.ofAccuracy(0.5));
        assertThat(feedback.score(FIRST, 3)).isEmpty();
        assertThat(take(numbers(SECOND, 1), new Numbered(1))).isEqualTo(new Taken(1, 0));
        assertThat(feedback.score(SECOND, 1)).isEmpty();
    }

    /** The text 5 is the name of class 2; the number 5 is no class. */
    @Test
    void shouldTellANameFromANumber() {
        assertThat(take(answer(FIRST, 2), new Named("5"))).isEqualTo(new Taken(1, 0));
        assertThat(feedback.of(FIRST).orElseThrow().accuracy()).contains(1.0);

        UnfitLabel unfit = (UnfitLabel) take(answer(FIRST, 2), new Numbered(5));
        assertThat(unfit.why()).endsWith("does not fit: a number of a class is from 0 to 2; it is 5.0");
    }

    @Test
    void shouldCountTheFirstLabelOfAPredictionOnly() {
        String answer = answer(FIRST, 0, 1);

        assertThat(take(answer, new Named("cat"), new Label.Unknown())).isEqualTo(new Taken(1, 0));
        assertThat(take(answer, new Named("dog"), new Label.Unknown())).isEqualTo(new Taken(0, 1));
        assertThat(take(answer, new Named("dog"), new Named("dog"))).isEqualTo(new Taken(1, 1));

        assertThat(feedback.of(FIRST).orElseThrow().samples()).isEqualTo(2);
        assertThat(feedback.of(FIRST).orElseThrow().accuracy()).contains(1.0);
        assertThat(feedback.counted()).isEqualTo(2);
        assertThat(feedback.repeated()).isEqualTo(2);
    }

    @Test
    void shouldCountTheSameAnswerTwiceInOneRequestOnce() {
        Given given = new Given(answer(FIRST, 0), List.of(new Named("cat")));

        assertThat(feedback.take(List.of(given, given))).isEqualTo(new Taken(1, 1));
    }

    @Test
    void shouldCountOnceWhenSixtyFourThreadsSendTheSame() throws Exception {
        List<String> answers =
                IntStream.range(0, 20).mapToObj(i -> answer(FIRST, i % 3)).toList();
        CountDownLatch begin = new CountDownLatch(1);
        ExecutorService threads = Executors.newFixedThreadPool(64);
        try {
            List<Future<Integer>> counts = new ArrayList<>();
            for (int thread = 0; thread < 64; thread++) {
                counts.add(threads.submit(() -> {
                    begin.await();
                    int counted = 0;
                    for (String answer : answers) {
                        counted += ((Taken) take(answer, new Numbered(0))).counted();
                    }
                    return counted;
                }));
            }
            begin.countDown();
            int all = 0;
            for (Future<Integer> count : counts) {
                all += count.get();
            }
            assertThat(all).isEqualTo(20);
        } finally {
            threads.shutdownNow();
        }
        assertThat(feedback.of(FIRST).orElseThrow().samples()).isEqualTo(20);
        assertThat(feedback.of(FIRST).orElseThrow().right()).isEqualTo(7);
        assertThat(feedback.repeated()).isEqualTo(63 * 20);
    }

    @Test
    void shouldCountNothingIfAnyAnswerOrLabelIsWrong() {
        Given right = new Given(answer(FIRST, 0), List.of(new Named("cat")));

        assertThat(feedback.take(List.of(right, new Given("AAAA", List.of(new Named("cat"))))))
                .isInstanceOf(UnknownAnswer.class);
        String other = answer(FIRST, 0);
        assertThat(feedback.take(List.of(right, new Given(other, List.of(new Named("cow"))))))
                .isEqualTo(new UnfitLabel(
                        "label 0 of the answer '%s' does not fit: there is no class 'cow'; the 3 classes are [cat, dog, 5]"
                                .formatted(other)));
        assertThat(feedback.of(FIRST)).isEmpty();
        assertThat(feedback.take(List.of(right))).isEqualTo(new Taken(1, 0));
    }

    @Test
    void shouldRefuseAnotherNumberOfLabelsThanPredictions() {
        assertThat(((UnfitLabel) take(answer(FIRST, 0, 1, 2), new Named("cat"))).why())
                .endsWith("has 3 predictions; 1 label came");
    }

    @Test
    void shouldKnowNoAnswerOfAnotherServiceAndNoCompletion() {
        String foreign = new AnswerIds("another key of thirty-two bytes!".getBytes(StandardCharsets.US_ASCII))
                .write(new AnswerIds.Answer(true, 0, 0, new double[] {0}));
        String own = answer(FIRST, 0);

        assertThat(((UnknownAnswer) take(foreign, new Named("cat"))).why()).contains("gave no answer '" + foreign);
        assertThat(((UnknownAnswer) take("cmpl-1f", new Named("cat"))).why()).contains("completions take no feedback");
        assertThat(((UnknownAnswer) take("x\n".repeat(500), new Named("cat"))).why())
                .hasSizeLessThan(400)
                .doesNotContain("\n");
        assertThat(take(own, new Named("cat"))).isEqualTo(new Taken(1, 0));
    }

    /** 64 bytes are 512 bits. */
    @Test
    void shouldForgetTheOldestPredictions() {
        String oldest = answer(FIRST, 0);
        for (int i = 0; i < 511; i++) {
            String unused = answer(SECOND, 1);
        }
        assertThat(take(oldest, new Named("cat"))).isEqualTo(new Taken(1, 0));

        String unused = answer(SECOND, 1);

        assertThat(((UnknownAnswer) take(oldest, new Named("cat"))).why())
                .endsWith(
                        "is too old: 512 predictions were made after it, and the newest 512 are remembered (inference.feedback.memory)");
    }

    @Test
    void shouldForgetTheVersionsThatAnsweredLongestAgo() {
        String old = answer(FIRST, 0);
        Feedback many = new Feedback(1 << 20, new byte[Feedback.KEY_BYTES]);
        PredictionResult result = result(FIRST, CLASSES, 1, 1, 0, 0);
        String first = many.idOf(result, result.predictions(), Optional.empty()).orElseThrow();
        for (int i = 0; i < LiveVersions.MOST_VERSIONS; i++) {
            PredictionResult next = result(new ParameterVersion("h", i), CLASSES, 1, 1, 0, 0);
            String unused =
                    many.idOf(next, next.predictions(), Optional.empty()).orElseThrow();
        }

        assertThat(((UnknownAnswer) many.take(List.of(new Given(first, List.of(new Named("cat")))))).why())
                .contains("4096 versions that answered later are remembered");
        assertThat(take(old, new Named("cat"))).isEqualTo(new Taken(1, 0));
    }

    /** Names of classes take memory: only a few lists of them are kept, and no version without its own. */
    @Test
    void shouldForgetVersionsWhoseClassesAreForgotten() {
        String old = answer(FIRST, 0);
        String last = "";
        for (int i = 0; i < LiveVersions.MOST_LISTS; i++) {
            last = answer(new ParameterVersion("h", i), List.of("a", "b" + i), 0);
        }

        assertThat(take(old, new Named("cat"))).isInstanceOf(UnknownAnswer.class);
        assertThat(take(last, new Named("a"))).isEqualTo(new Taken(1, 0));
    }

    @Test
    void shouldMeasureErrorsOfNumbersAsArithmeticSays() {
        assertThat(take(numbers(FIRST, 10, -2, 0.5), new Numbered(7), new Numbered(-2), new Numbered(1.5)))
                .isEqualTo(new Taken(3, 0));

        LiveFigures figures = feedback.of(FIRST).orElseThrow();
        assertThat(figures.mae().orElseThrow()).isCloseTo((3 + 0 + 1) / 3.0, within(1e-12));
        assertThat(figures.rmse().orElseThrow()).isCloseTo(Math.sqrt((9 + 0 + 1) / 3.0), within(1e-12));
        assertThat(figures.accuracy()).isEmpty();
        assertThat(figures.interval()).isEmpty();
    }

    @Test
    void shouldRefuseNumbersThatWouldDestroyTheSums() {
        for (double value : new double[] {Double.POSITIVE_INFINITY, Double.NaN, -1e101, 1e300}) {
            assertThat(take(numbers(FIRST, 1), new Numbered(value))).isInstanceOf(UnfitLabel.class);
        }
        assertThat(take(numbers(FIRST, 1), new Named("one"))).isInstanceOf(UnfitLabel.class);
        for (double value : new double[] {Double.NaN, 0.5, -1, 1e18, Double.NEGATIVE_INFINITY}) {
            assertThat(take(answer(SECOND, 1), new Numbered(value))).isInstanceOf(UnfitLabel.class);
        }
        assertThat(feedback.last(10)).isEmpty();
    }

    @Test
    void shouldNameNoAnswerThatTakesNoFeedback() {
        PredictionResult result = result(FIRST, List.of("y"), 1, 0);

        assertThat(feedback.idOf(result, List.of(new LabelAnswers(Collections.emptyMap())), Optional.empty()))
                .isEmpty();
        assertThat(feedback.idOf(result, List.of(new Amount("y", Double.NaN)), Optional.empty()))
                .isEmpty();
    }
}
