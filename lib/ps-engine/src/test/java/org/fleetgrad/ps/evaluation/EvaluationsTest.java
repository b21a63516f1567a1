package org.fleetgrad.ps.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Optional;
import org.fleetgrad.protocol.HeldOutScore;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.messages.BinaryFigures;
import org.fleetgrad.protocol.messages.LabelFigures;
import org.fleetgrad.protocol.messages.RegressionFigures;
import org.fleetgrad.protocol.messages.TextFigures;
import org.fleetgrad.ps.evaluation.Evaluations.HeldOutResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EvaluationsTest {

    private final Evaluations evaluations = new Evaluations();

    @Test
    void shouldHaveNothingAtFirst() {
        assertThat(evaluations.newest()).isEmpty();
        assertThat(evaluations.best()).isEmpty();
    }

    @Test
    void shouldKnowTheNewestAndTheBest() {
        evaluations.add(evaluation("g", 10, 0.9));
        evaluations.add(evaluation("g", 20, 0.8));

        assertThat(evaluations.newest()).contains(evaluation("g", 20, 0.8));
        assertThat(evaluations.best()).contains(evaluation("g", 10, 0.9));
    }

    @Test
    void shouldCountALateResultOfAnOlderVersionForTheBestOnly() {
        evaluations.add(evaluation("g", 20, 0.8));
        evaluations.add(evaluation("g", 10, 0.9));

        assertThat(evaluations.newest()).contains(evaluation("g", 20, 0.8));
        assertThat(evaluations.best()).contains(evaluation("g", 10, 0.9));
    }

    @Test
    void shouldTakeTheLaterOfTwoResultsOfOneVersion() {
        evaluations.add(evaluation("g", 10, 0.8));
        evaluations.add(evaluation("g", 10, 0.7));

        assertThat(evaluations.newest()).contains(evaluation("g", 10, 0.7));
        assertThat(evaluations.best()).contains(evaluation("g", 10, 0.8));
    }

    @Test
    void shouldBeginAnewWithAnotherGeneration() {
        evaluations.add(evaluation("g", 100, 0.99));
        evaluations.add(evaluation("h", 1, 0.1));

        assertThat(evaluations.newest()).contains(evaluation("h", 1, 0.1));
        assertThat(evaluations.best()).contains(evaluation("h", 1, 0.1));
    }

    @Test
    void shouldForgetEverythingWhenCleared() {
        evaluations.add(evaluation("g", 100, 0.99));

        evaluations.retainOnly("other");

        assertThat(evaluations.newest()).isEmpty();
        assertThat(evaluations.best()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.01, 1.01, Double.NaN, Double.POSITIVE_INFINITY})
    void shouldRefuseAnAccuracyOutsideZeroToOne(double accuracy) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> evaluation("g", 1, accuracy))
                .withMessage("accuracy must be between 0 and 1; it is " + accuracy);
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.01, Double.NaN, Double.POSITIVE_INFINITY})
    void shouldRefuseAnInvalidLoss(double loss) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> result(Optional.of(loss), Optional.empty(), 1))
                .withMessage("loss must be a finite number, 0 or more; it is " + loss);
    }

    @Test
    void shouldRefuseAResultOfNoSamples() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> result(Optional.empty(), Optional.empty(), 0))
                .withMessage("samples must be 1 or more; it is 0");
    }

    /** The share of tokens right may fall while the loss does. */
    @Test
    void shouldKnowTheBestOfATextByItsLoss() {
        evaluations.add(text(10, 0.5, 2.5));
        evaluations.add(text(20, 0.4, 1.9));
        evaluations.add(text(30, 0.6, 2.0));

        assertThat(evaluations.newest()).contains(text(30, 0.6, 2.0));
        assertThat(evaluations.best()).contains(text(20, 0.4, 1.9));
    }

    @Test
    void shouldRefuseATextWithoutItsLoss() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> result(Optional.empty(), Optional.of(new TextFigures(64, null)), 1))
                .withMessage("loss is missing: the evaluation has figures of a text, whose loss says how good it is");
    }

    @Test
    void shouldRefuseInvalidFiguresOfAText() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> result(Optional.of(2.0), Optional.of(new TextFigures(0, null)), 1))
                .withMessage("text.tokensPerSample must be 1 or more; it is 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> result(Optional.of(2.0), Optional.of(new TextFigures(64, -0.5)), 1))
                .withMessage("text.bitsPerCharacter must be a finite number, 0 or more; it is -0.5");
    }

    private static HeldOutResult numbers(Optional<Double> accuracy, Optional<Double> loss, RegressionFigures figures) {
        return new HeldOutResult(
                new ParameterVersion("g", 1),
                accuracy,
                Optional.empty(),
                loss,
                Optional.empty(),
                Optional.of(figures),
                Optional.empty(),
                Optional.empty(),
                10);
    }

    @Test
    void shouldCompareNumbersByTheirLoss() {
        RegressionFigures figures = new RegressionFigures(2, 1, 0.5);
        HeldOutResult good = numbers(Optional.empty(), Optional.of(0.25), figures);
        HeldOutResult bad = numbers(Optional.empty(), Optional.of(0.5), figures);

        evaluations.add(good);
        evaluations.add(bad);

        assertThat(evaluations.best()).contains(good);
    }

    @Test
    void shouldRefuseImpossibleFiguresOfNumbers() {
        Optional<Double> loss = Optional.of(0.25);
        RegressionFigures figures = new RegressionFigures(2, 1, 0.5);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> numbers(Optional.of(0.5), loss, figures))
                .withMessageContaining("it has 2 of them");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> numbers(Optional.empty(), Optional.empty(), figures))
                .withMessageContaining("loss is missing");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> numbers(Optional.empty(), loss, new RegressionFigures(-1, 1, null)))
                .withMessage("regression.rmse must be a finite number, 0 or more; it is -1.0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> numbers(Optional.empty(), loss, new RegressionFigures(1, Double.NaN, null)))
                .withMessage("regression.mae must be a finite number, 0 or more; it is NaN");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> numbers(Optional.empty(), loss, new RegressionFigures(1, 1, 1.5)))
                .withMessage("regression.r2 must be a finite number, 1 or less; it is 1.5");
    }

    private static HeldOutResult yesOrNo(Optional<Double> accuracy, BinaryFigures figures) {
        return new HeldOutResult(
                new ParameterVersion("g", 1),
                accuracy,
                Optional.empty(),
                Optional.of(0.5),
                Optional.empty(),
                accuracy.isPresent() ? Optional.empty() : Optional.of(new RegressionFigures(2, 1, 0.5)),
                Optional.of(figures),
                Optional.empty(),
                10);
    }

    @Test
    void shouldRefuseImpossibleFiguresOfTwoClasses() {
        Optional<Double> accuracy = Optional.of(0.5);
        assertThat(yesOrNo(accuracy, new BinaryFigures(null, 0, 0, 0)).score())
                .isEqualTo(evaluation("g", 1, 0.5).score());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> yesOrNo(Optional.empty(), new BinaryFigures(0.5, 0, 0, 0)))
                .withMessage("an evaluation with figures of two classes (binary) has an accuracy");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> yesOrNo(accuracy, new BinaryFigures(1.5, 0, 0, 0)))
                .withMessage("binary.auc must be between 0 and 1; it is 1.5");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> yesOrNo(accuracy, new BinaryFigures(null, Double.NaN, 0, 0)))
                .withMessage("binary.f1 must be between 0 and 1; it is NaN");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> yesOrNo(accuracy, new BinaryFigures(null, 0, -0.1, 0)))
                .withMessage("binary.precision must be between 0 and 1; it is -0.1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> yesOrNo(accuracy, new BinaryFigures(null, 0, 0, 2)))
                .withMessage("binary.recall must be between 0 and 1; it is 2.0");
    }

    private static HeldOutResult labelled(Optional<Double> accuracy, Optional<Double> loss, LabelFigures figures) {
        return new HeldOutResult(
                new ParameterVersion("g", 1),
                accuracy,
                Optional.empty(),
                loss,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(figures),
                10);
    }

    @Test
    void shouldRefuseImpossibleFiguresOfLabels() {
        Optional<Double> loss = Optional.of(0.5);
        LabelFigures good = new LabelFigures(1, 0, 0.5, 0, null, 3, 3);
        assertThat(labelled(Optional.empty(), loss, good).score()).isEqualTo(new HeldOutScore.ByLoss(0.5));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> labelled(Optional.of(0.5), loss, good))
                .withMessage(
                        "an evaluation has one of an accuracy, figures of numbers (regression) and figures of labels"
                                + " (labels); it has 2 of them");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> labelled(Optional.empty(), Optional.empty(), good))
                .withMessage("loss is missing: the evaluation has figures of labels, whose loss says how good it is");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> labelled(Optional.empty(), loss, new LabelFigures(0, 0, 0, Double.NaN, null, 3, 3)))
                .withMessage("labels.hammingLoss must be between 0 and 1; it is NaN");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> labelled(Optional.empty(), loss, new LabelFigures(0, 0, 0, 0, 1.5, 3, 0)))
                .withMessage("labels.macroAuc must be between 0 and 1; it is 1.5");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> labelled(Optional.empty(), loss, new LabelFigures(0, 0, 0, 0, 0.5, 3, 4)))
                .withMessage("labels.oneSided must be from 0 to labels.labels, which is 3; it is 4");
    }

    private static HeldOutResult result(Optional<Double> loss, Optional<TextFigures> text, long samples) {
        return new HeldOutResult(
                new ParameterVersion("g", 1),
                Optional.of(0.5),
                Optional.empty(),
                loss,
                text,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                samples);
    }

    private static HeldOutResult text(long version, double accuracy, double loss) {
        return new HeldOutResult(
                new ParameterVersion("g", version),
                Optional.of(accuracy),
                Optional.empty(),
                Optional.of(loss),
                Optional.of(new TextFigures(64, 2.0)),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                100);
    }

    private static HeldOutResult evaluation(String generation, long version, double accuracy) {
        return new HeldOutResult(
                new ParameterVersion(generation, version),
                Optional.of(accuracy),
                Optional.empty(),
                Optional.of(0.5),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                100);
    }
}
