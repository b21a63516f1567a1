package org.fleetgrad.evaluator.outcome;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.fleetgrad.evaluator.outcome.Outcomes.EvaluationOutcome;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.networks.Question.Labels;
import org.fleetgrad.networks.Question.Loss;
import org.fleetgrad.networks.Question.OneClass;
import org.fleetgrad.networks.Question.Regression;
import org.fleetgrad.networks.TableTask;
import org.fleetgrad.networks.Task;
import org.fleetgrad.networks.Task.LanguageModel;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.messages.BinaryFigures;
import org.fleetgrad.protocol.messages.ClassDetails;
import org.fleetgrad.protocol.messages.ClassDetails.ClassFigures;
import org.fleetgrad.protocol.messages.EvaluationDetails;
import org.fleetgrad.protocol.messages.LabelFigures;
import org.fleetgrad.protocol.messages.RegressionFigures;
import org.fleetgrad.protocol.messages.TextFigures;
import org.fleetgrad.serving.evaluation.Evaluation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class OutcomesTest {

    private static final Task IMAGES = Networks.usual("lenet5").spec().task();

    private final Outcomes outcomes = new Outcomes();

    private static EvaluationOutcome outcome(long version, double accuracy, double loss) {
        return new EvaluationOutcome(
                "checkpoint-00000" + version,
                new Evaluation(
                        new ParameterVersion("g", version),
                        Optional.of(accuracy),
                        Optional.of(0.99),
                        loss,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        EvaluationDetails.NONE,
                        4000,
                        Duration.ofMillis(1250)));
    }

    /** A program before this one compared with {@code accuracy < best}, and so kept the worst model as the best. */
    @Test
    void shouldKeepTheHighestAccuracyAsTheBest() {
        assertThat(outcomes.best()).isEmpty();

        assertThat(outcomes.add(outcome(1, 0.50, 1.0))).isTrue();
        assertThat(outcomes.add(outcome(2, 0.97, 0.1))).isTrue();
        assertThat(outcomes.add(outcome(3, 0.12, 2.0))).isFalse();
        assertThat(outcomes.add(outcome(4, 0.96, 0.05))).isFalse();

        assertThat(outcomes.best()).contains(outcome(2, 0.97, 0.1));
        assertThat(outcomes.all()).hasSize(4);
    }

    @Test
    void shouldDecideBetweenEqualAccuraciesByTheLossAndThenKeepTheFirst() {
        outcomes.add(outcome(1, 0.9, 0.3));
        assertThat(outcomes.add(outcome(2, 0.9, 0.2))).isTrue();
        assertThat(outcomes.add(outcome(3, 0.9, 0.2))).isFalse();
        assertThat(outcomes.add(outcome(4, 0.9, 0.4))).isFalse();

        assertThat(outcomes.best().orElseThrow().evaluation().version().version())
                .isEqualTo(2);
    }

    @Test
    void shouldWriteARowAVersionAndSayWhichIsTheBest() {
        assertThat(OutcomeTable.head(IMAGES)).isEqualTo("   VERSION     TOP-1     TOP-5        LOSS   SECONDS  ");
        assertThat(OutcomeTable.row(outcome(2, 0.97, 0.1), true))
                .isEqualTo("         2    97.00%    99.00%      0.1000      1.25  * checkpoint-000002");
        assertThat(OutcomeTable.best(outcome(2, 0.97, 0.1)))
                .isEqualTo(
                        "best: version 2 of generation g (checkpoint-000002): top-1 97.00%, top-5 99.00%, loss 0.1000,"
                                + " on 4,000 held-out samples");
    }

    @Test
    void shouldWriteTheFiguresOfAText(@TempDir Path folder) throws Exception {
        EvaluationOutcome outcome = new EvaluationOutcome(
                "",
                new Evaluation(
                        new ParameterVersion("g", 2000),
                        Optional.of(0.42),
                        Optional.of(0.75),
                        1.875,
                        Optional.of(new TextFigures(64, 2.705)),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        EvaluationDetails.NONE,
                        1743,
                        Duration.ofMillis(1250)));

        assertThat(OutcomeTable.head(new LanguageModel(64, 65)))
                .isEqualTo("   VERSION      LOSS  PERPLEX.  BITS/CHAR.   SECONDS  ");
        assertThat(OutcomeTable.row(outcome, true))
                .isEqualTo("     2,000    1.8750      6.52      2.7050      1.25  *");
        assertThat(OutcomeTable.best(outcome))
                .isEqualTo("best: version 2,000 of generation g: loss 1.8750, perplexity 6.52, 2.7050 bits a character,"
                        + " on 1,743 held-out samples");
        try (OutcomeCsv csv = OutcomeCsv.create(folder.resolve("out.csv"))) {
            csv.add(outcome);
        }
        assertThat(Files.readAllLines(folder.resolve("out.csv")).get(1))
                .startsWith(",g,2000,0.42,0.75,1.875,1743,1.25,6.52")
                .endsWith(",2.705" + ",".repeat(12));
        outcomes.add(outcome);
        JsonNode best = JsonMapper.builder().build().readTree(outcomes.json()).path("best");
        assertThat(best.path("bitsPerCharacter").asDouble()).isEqualTo(2.705);
        assertThat(best.path("perplexity").asDouble()).isEqualTo(Math.exp(1.875));
    }

    @Test
    void shouldWriteTheErrorsOfNumbers(@TempDir Path folder) throws Exception {
        EvaluationOutcome outcome = new EvaluationOutcome(
                "",
                new Evaluation(
                        new ParameterVersion("g", 2000),
                        Optional.empty(),
                        Optional.empty(),
                        0.0188,
                        Optional.empty(),
                        Optional.of(new RegressionFigures(541.25, 270, 0.9812)),
                        Optional.empty(),
                        Optional.empty(),
                        EvaluationDetails.NONE,
                        5394,
                        Duration.ofMillis(250)));

        assertThat(OutcomeTable.head(new TableTask(3, List.of(), new Regression(Loss.SQUARED))))
                .isEqualTo("   VERSION        R2      LOSS        RMSE   SECONDS  ");
        assertThat(OutcomeTable.row(outcome, true))
                .isEqualTo("     2,000    0.9812    0.0188       541.3      0.25  *");
        assertThat(OutcomeTable.best(outcome))
                .isEqualTo("best: version 2,000 of generation g: R2 0.9812, RMSE 541.3, MAE 270.0, loss 0.0188,"
                        + " on 5,394 held-out samples");
        try (OutcomeCsv csv = OutcomeCsv.create(folder.resolve("out.csv"))) {
            csv.add(outcome);
        }
        assertThat(Files.readAllLines(folder.resolve("out.csv")).get(1))
                .isEqualTo(",g,2000,,,0.0188,5394,0.25,,,0.9812,541.25,270.0,,,,,,,,,");
        outcomes.add(outcome);
        JsonNode best = JsonMapper.builder().build().readTree(outcomes.json()).path("best");
        assertThat(best.has("top1")).isFalse();
        assertThat(best.path("regression").path("r2").asDouble()).isEqualTo(0.9812);
    }

    @Test
    void shouldWriteTheFiguresOfTwoClasses(@TempDir Path folder) throws Exception {
        EvaluationOutcome outcome = new EvaluationOutcome(
                "",
                new Evaluation(
                        new ParameterVersion("g", 2000),
                        Optional.of(0.75),
                        Optional.empty(),
                        0.5,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(new BinaryFigures(0.8125, 0.6, 0.75, 0.5)),
                        Optional.empty(),
                        EvaluationDetails.NONE,
                        400,
                        Duration.ofMillis(250)));

        assertThat(OutcomeTable.head(new TableTask(3, List.of(), new OneClass(2))))
                .isEqualTo("   VERSION     TOP-1       AUC        LOSS   SECONDS  ");
        assertThat(OutcomeTable.row(outcome, true))
                .isEqualTo("     2,000    75.00%    0.8125      0.5000      0.25  *");
        assertThat(OutcomeTable.best(outcome))
                .isEqualTo("best: version 2,000 of generation g: top-1 75.00%, AUC 0.8125, F1 0.6000, precision 0.7500,"
                        + " recall 0.5000, loss 0.5000, on 400 held-out samples");
        try (OutcomeCsv csv = OutcomeCsv.create(folder.resolve("out.csv"))) {
            csv.add(outcome);
        }
        assertThat(Files.readAllLines(folder.resolve("out.csv")).get(1))
                .isEqualTo(",g,2000,0.75,,0.5,400,0.25,,,,,,0.8125,0.6,0.75,0.5,,,,,");
        outcomes.add(outcome);
        JsonNode best = JsonMapper.builder().build().readTree(outcomes.json()).path("best");
        assertThat(best.path("binary").path("recall").asDouble()).isEqualTo(0.5);
    }

    @Test
    void shouldWriteTheFiguresOfSeveralLabels(@TempDir Path folder) throws Exception {
        EvaluationOutcome outcome = new EvaluationOutcome(
                "",
                new Evaluation(
                        new ParameterVersion("g", 2000),
                        Optional.empty(),
                        Optional.empty(),
                        0.5,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(new LabelFigures(0.75, 0.625, 0.5, 0.125, 0.875, 3, 1)),
                        EvaluationDetails.NONE,
                        400,
                        Duration.ofMillis(250)));

        assertThat(OutcomeTable.head(new TableTask(3, List.of(), new Labels(3))))
                .isEqualTo("   VERSION  MICRO-F1      LOSS    MACRO-F1   SECONDS  ");
        assertThat(OutcomeTable.row(outcome, true))
                .isEqualTo("     2,000    0.7500    0.5000      0.6250      0.25  *");
        assertThat(OutcomeTable.best(outcome))
                .isEqualTo("best: version 2,000 of generation g: micro F1 0.7500, macro F1 0.6250, exact match 50.00%,"
                        + " Hamming loss 0.1250, AUC 0.8750 of 2 of 3 labels, loss 0.5000, on 400 held-out samples");
        try (OutcomeCsv csv = OutcomeCsv.create(folder.resolve("out.csv"))) {
            csv.add(outcome);
        }
        assertThat(Files.readAllLines(folder.resolve("out.csv")).get(1))
                .isEqualTo(",g,2000,,,0.5,400,0.25" + ",".repeat(10) + "0.75,0.625,0.5,0.125,0.875");
        outcomes.add(outcome);
        JsonNode best = JsonMapper.builder().build().readTree(outcomes.json()).path("best");
        assertThat(best.has("top1")).isFalse();
        assertThat(best.path("labels").path("oneSided").asInt()).isEqualTo(1);
    }

    /** The share of tokens right may fall while the loss improves. */
    @Test
    void shouldKeepTheSmallestLossOfATextAsTheBest() {
        assertThat(outcomes.add(text(1, 0.40, 2.5))).isTrue();
        assertThat(outcomes.add(text(2, 0.35, 1.9))).isTrue();
        assertThat(outcomes.add(text(3, 0.50, 2.0))).isFalse();
    }

    private static EvaluationOutcome text(long version, double accuracy, double loss) {
        return new EvaluationOutcome(
                "",
                new Evaluation(
                        new ParameterVersion("g", version),
                        Optional.of(accuracy),
                        Optional.empty(),
                        loss,
                        Optional.of(new TextFigures(64, null)),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        EvaluationDetails.NONE,
                        10,
                        Duration.ZERO));
    }

    @Test
    void shouldWriteCsvWhileItGoesOnAndQuoteWhatNeedsIt(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("out.csv");
        try (OutcomeCsv csv = OutcomeCsv.create(file)) {
            csv.add(outcome(2, 0.97, 0.1));
            assertThat(Files.readAllLines(file))
                    .containsExactly(OutcomeCsv.HEAD, "checkpoint-000002,g,2,0.97,0.99,0.1,4000,1.25" + ",".repeat(14));

            csv.add(new EvaluationOutcome("a, \"b\"", outcome(3, 0.5, 1).evaluation()));
            assertThat(Files.readAllLines(file).get(2))
                    .isEqualTo("\"a, \"\"b\"\"\",g,3,0.5,0.99,1.0,4000,1.25" + ",".repeat(14));
        }
    }

    /** Thousands of versions would hold thousands of matrices. */
    @Test
    void shouldKeepAndShowTheDetailsOfTheBestOnly() {
        EvaluationDetails details = new EvaluationDetails(
                new ClassDetails(
                        0.65,
                        List.of(
                                new ClassFigures("cat", 3, 0.5, 2 / 3.0, 0.6),
                                new ClassFigures("dog\u0007", 4, 0.75, 0.5, 0.7),
                                new ClassFigures("owl", 0, 0, 0, 0)),
                        List.of(List.of(2L, 1L, 0L), List.of(2L, 2L, 0L), List.of(0L, 0L, 0L))),
                null,
                null,
                null);
        EvaluationOutcome best = detailed(1, 0.9, details);
        outcomes.add(best);
        outcomes.add(detailed(2, 0.5, details));

        assertThat(outcomes.best()).contains(best);
        assertThat(outcomes.all()).extracting(one -> one.evaluation().details()).containsOnly(EvaluationDetails.NONE);
        assertThat(OutcomeTable.classes(best).orElseThrow())
                .startsWith("macro F1 0.6500; least often right: dog")
                .endsWith(" (50.00% of 4), cat (66.67% of 3)")
                .doesNotContain("\u0007");
        assertThat(OutcomeTable.classes(outcome(1, 0.9, 0.3))).isEmpty();
        JsonNode json = JsonMapper.builder().build().readTree(outcomes.json());
        assertThat(json.path("best")
                        .path("details")
                        .path("classes")
                        .path("confusion")
                        .path(1)
                        .toString())
                .isEqualTo("[2,2,0]");
        assertThat(json.path("best").path("details").has("roc")).isFalse();
        assertThat(json.path("evaluations").path(0).has("details")).isFalse();
    }

    private static EvaluationOutcome detailed(long version, double accuracy, EvaluationDetails details) {
        return new EvaluationOutcome(
                "",
                new Evaluation(
                        new ParameterVersion("g", version),
                        Optional.of(accuracy),
                        Optional.empty(),
                        1,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        details,
                        7,
                        Duration.ZERO));
    }

    @Test
    void shouldWriteOneJsonObject() {
        outcomes.add(outcome(2, 0.97, 0.1));
        outcomes.add(new EvaluationOutcome("", outcome(3, 0.5, 1).evaluation()));

        JsonNode json = JsonMapper.builder().build().readTree(outcomes.json());

        assertThat(json.path("evaluated").asInt()).isEqualTo(2);
        assertThat(json.path("best").path("version").asLong()).isEqualTo(2);
        assertThat(json.path("best").path("top1").asDouble()).isEqualTo(0.97);
        assertThat(json.path("best").path("name").asString()).isEqualTo("checkpoint-000002");
        assertThat(json.path("evaluations").path(1).has("name")).isFalse();
        assertThat(json.path("evaluations").path(1).path("seconds").asDouble()).isEqualTo(1.25);
    }
}
