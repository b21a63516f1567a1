package org.fleetgrad.serving.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import org.fleetgrad.datasets.ClassNames;
import org.fleetgrad.networks.Question.OneClass;
import org.fleetgrad.networks.TableTask;
import org.fleetgrad.networks.Task;
import org.fleetgrad.networks.Task.ImageClassification;
import org.fleetgrad.protocol.messages.BinaryFigures;
import org.fleetgrad.protocol.messages.RocCurve;
import org.fleetgrad.testing.Python;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class BinaryScoresTest {

    private static final String SCIKIT_LEARN = """
            import json, sys
            from sklearn.metrics import f1_score, precision_score, recall_score, roc_auc_score, roc_curve
            scores, labels = json.loads(sys.argv[1]), json.loads(sys.argv[2])
            found = [int(score > 0) for score in scores]
            print(json.dumps({
                "auc": roc_auc_score(labels, scores),
                "f1": f1_score(labels, found),
                "precision": precision_score(labels, found),
                "recall": recall_score(labels, found),
                "roc": [list(rates) for rates in roc_curve(labels, scores)[:2]],
            }))
            """;

    private static BinaryFigures figures(float[] scores, int[] labels) {
        return scores(scores, labels).binary().orElseThrow();
    }

    private static Scores scores(float[] scores, int[] labels) {
        Scores all = of(new TableTask(1, List.of(), new OneClass(2)), scores.length);
        for (int i = 0; i < scores.length; i++) {
            all.add(new float[] {0, scores[i]}, 0, new float[] {labels[i]}, 0);
        }
        return all;
    }

    private static Scores of(Task task, int samples) {
        return Scores.of(
                task,
                task.classes(),
                new HeldOutTargets(samples, ClassNames.numbers(task.classes()), Optional.empty()));
    }

    private static RocCurve roc(float[] scores, int[] labels) {
        return Objects.requireNonNull(scores(scores, labels).details().roc());
    }

    private static double area(RocCurve curve) {
        double area = 0;
        for (int i = 1; i < curve.falsePositiveRates().size(); i++) {
            area += (curve.falsePositiveRates().get(i)
                            - curve.falsePositiveRates().get(i - 1))
                    * (curve.truePositiveRates().get(i)
                            + curve.truePositiveRates().get(i - 1))
                    / 2;
        }
        return area;
    }

    /** As in the pairs above: rows of equal scores are one step of the curve, up and to the right. */
    @Test
    void shouldDrawRowsOfEqualScoresAsOneStep() {
        RocCurve curve = roc(new float[] {1, -1, 0.5f, -1, -2}, new int[] {1, 1, 0, 0, 0});

        assertThat(curve.falsePositiveRates()).containsExactly(0.0, 0.0, 1 / 3.0, 2 / 3.0, 1.0);
        assertThat(curve.truePositiveRates()).containsExactly(0.0, 0.5, 0.5, 1.0, 1.0);
        assertThat(roc(new float[] {0f, -0f, 0f}, new int[] {1, 0, 1}))
                .isEqualTo(new RocCurve(List.of(0.0, 1.0), List.of(0.0, 1.0)));
    }

    @Test
    void shouldHaveNoCurveWhereAllRowsAreOfOneClass() {
        assertThat(scores(new float[] {1, -1}, new int[] {0, 0}).details().roc())
                .isNull();
    }

    @Test
    void shouldKeepBothEndsOfACurveOfManyPoints() {
        Random random = new Random(3);
        float[] scores = new float[5000];
        int[] labels = new int[scores.length];
        for (int i = 0; i < scores.length; i++) {
            labels[i] = random.nextBoolean() ? 1 : 0;
            scores[i] = (float) (labels[i] + random.nextGaussian());
        }

        RocCurve curve = roc(scores, labels);

        assertThat(curve.falsePositiveRates())
                .hasSize(RocCurve.MOST_POINTS)
                .isSorted()
                .startsWith(0.0)
                .endsWith(1.0);
        assertThat(curve.truePositiveRates()).isSorted().startsWith(0.0).endsWith(1.0);
        assertThat(area(curve))
                .isCloseTo(Objects.requireNonNull(figures(scores, labels).auc()), within(0.005));
    }

    /** Of the six pairs of a yes and a no, 1 beats all three, -1 beats one and ties with one. */
    @Test
    void shouldCountPairsAndHits() {
        BinaryFigures figures = figures(new float[] {1, -1, 0.5f, -1, -2}, new int[] {1, 1, 0, 0, 0});

        assertThat(figures.auc()).isCloseTo(4.5 / 6, within(1e-12));
        assertThat(figures.precision()).isEqualTo(1 / 2.0);
        assertThat(figures.recall()).isEqualTo(1 / 2.0);
        assertThat(figures.f1()).isEqualTo(1 / 2.0);
    }

    @Test
    void shouldTakeBothZerosForOneAndForTheFirstClass() {
        assertThat(figures(new float[] {0f, -0f, 0f, -0f}, new int[] {1, 0, 0, 1}))
                .isEqualTo(new BinaryFigures(0.5, 0, 0, 0));
    }

    @Test
    void shouldHaveNoAreaWhereAllRowsAreOfOneClass() {
        assertThat(figures(new float[] {1, -1}, new int[] {0, 0})).isEqualTo(new BinaryFigures(null, 0, 0, 0));
        assertThat(figures(new float[] {1, -1}, new int[] {1, 1})).isEqualTo(new BinaryFigures(null, 2 / 3.0, 1, 0.5));
    }

    @Test
    void shouldHaveTheAreaOfAllPairsWhateverTheNumberOfRows() {
        Random random = new Random(5);
        float[] scores = new float[3000];
        int[] labels = new int[scores.length];
        for (int i = 0; i < scores.length; i++) {
            labels[i] = random.nextInt(3) == 0 ? 1 : 0;
            scores[i] = Math.round(4 * (labels[i] + random.nextGaussian())) / 4f;
        }
        double won = 0;
        long pairs = 0;
        for (int yes = 0; yes < scores.length; yes++) {
            for (int no = 0; no < scores.length; no++) {
                if (labels[yes] == 1 && labels[no] == 0) {
                    pairs++;
                    won += scores[yes] > scores[no] ? 1 : scores[yes] == scores[no] ? 0.5 : 0;
                }
            }
        }

        assertThat(figures(scores, labels).auc()).isCloseTo(won / pairs, within(1e-12));
    }

    @Test
    void shouldBeOfTheTwoClassesOfATableOnly() {
        assertThat(of(new TableTask(1, List.of(), new OneClass(3)), 1).binary()).isEmpty();
        assertThat(of(new ImageClassification(List.of(1, 1, 1), 2), 1).binary()).isEmpty();
    }

    @Tag("whole")
    @Test
    void shouldSayWhatScikitLearnSays() {
        Random random = new Random(11);
        float[] scores = new float[400];
        int[] labels = new int[scores.length];
        for (int i = 0; i < scores.length; i++) {
            labels[i] = random.nextInt(4) == 0 ? 1 : 0;
            scores[i] = Math.round(8 * (labels[i] - 0.5f + random.nextGaussian())) / 8f;
        }
        JsonNode theirs = JsonMapper.shared()
                .readTree(Python.runWithScikitLearn(SCIKIT_LEARN, Arrays.toString(scores), Arrays.toString(labels)));

        BinaryFigures ours = figures(scores, labels);

        assertThat(ours.auc()).isCloseTo(theirs.path("auc").asDouble(), within(1e-12));
        assertThat(ours.f1()).isCloseTo(theirs.path("f1").asDouble(), within(1e-12));
        assertThat(ours.precision()).isCloseTo(theirs.path("precision").asDouble(), within(1e-12));
        assertThat(ours.recall()).isCloseTo(theirs.path("recall").asDouble(), within(1e-12));
        RocCurve curve = roc(scores, labels);
        assertThat(curve.falsePositiveRates())
                .hasSizeLessThan(RocCurve.MOST_POINTS)
                .isEqualTo(rates(theirs.path("roc").path(0)));
        assertThat(curve.truePositiveRates()).isEqualTo(rates(theirs.path("roc").path(1)));
        assertThat(area(curve)).isCloseTo(Objects.requireNonNull(ours.auc()), within(1e-12));
    }

    private static List<Double> rates(JsonNode array) {
        return array.valueStream().map(JsonNode::asDouble).toList();
    }
}
