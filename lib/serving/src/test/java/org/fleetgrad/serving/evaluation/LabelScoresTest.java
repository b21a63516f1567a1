package org.fleetgrad.serving.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.fleetgrad.networks.Question.Labels;
import org.fleetgrad.networks.TableTask;
import org.fleetgrad.protocol.messages.LabelDetails;
import org.fleetgrad.protocol.messages.LabelDetails.OneLabel;
import org.fleetgrad.protocol.messages.LabelFigures;
import org.fleetgrad.testing.Python;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class LabelScoresTest {

    private static final String SCIKIT_LEARN = """
            import json, sys
            import numpy as np
            from sklearn.metrics import accuracy_score, f1_score, hamming_loss, precision_score, recall_score, roc_auc_score
            logits, labels = np.array(json.loads(sys.argv[1])), np.array(json.loads(sys.argv[2]))
            found = (logits > 0).astype(int)
            areas = [roc_auc_score(labels[:, i], logits[:, i]) if 0 < labels[:, i].sum() < len(labels) else None
                for i in range(labels.shape[1])]
            print(json.dumps({
                "micro": f1_score(labels, found, average="micro", zero_division=0),
                "macro": f1_score(labels, found, average="macro", zero_division=0),
                "exact": accuracy_score(labels, found),
                "hamming": hamming_loss(labels, found),
                "areas": areas,
                "auc": float(np.mean([area for area in areas if area is not None])),
                "precision": list(precision_score(labels, found, average=None, zero_division=0)),
                "recall": list(recall_score(labels, found, average=None, zero_division=0)),
                "loss": float(np.mean(np.logaddexp(0, logits) - labels * logits)),
            }))
            """;

    private static Scores scores(float[][] logits, float[][] labels) {
        int count = labels[0].length;
        List<String> names =
                IntStream.range(0, count).mapToObj(i -> "label " + i).toList();
        Scores scores = Scores.of(
                new TableTask(1, List.of(), new Labels(count)),
                count,
                new HeldOutTargets(labels.length, names, Optional.empty()));
        for (int row = 0; row < labels.length; row++) {
            scores.add(logits[row], 0, labels[row], 0);
        }
        return scores;
    }

    /** By hand: of the rows' labels 4 are yes and 4 are predicted, of which 3 are right; the second row is wrong in two places. */
    @Test
    void shouldCountLabelsAndRows() {
        Scores scores = scores(
                new float[][] {{2, -1, -1}, {-1, 3, -0f}, {1, 1, -4}}, new float[][] {{1, 0, 0}, {1, 0, 0}, {1, 1, 0}});

        LabelFigures figures = scores.labels().orElseThrow();

        assertThat(figures.microF1()).isCloseTo(2 * 3 / 8.0, within(1e-12));
        // F1 of 2 of 3 with 2 predicted, of 1 with 2 predicted, and of none: 4/5, 2/3 and 0.
        assertThat(figures.macroF1()).isCloseTo((0.8 + 2 / 3.0 + 0) / 3, within(1e-12));
        assertThat(figures.exactMatch()).isCloseTo(2 / 3.0, within(1e-12));
        assertThat(figures.hammingLoss()).isCloseTo(2 / 9.0, within(1e-12));
        // Only the second label is of both kinds; its yes of 1 beats -1 and not 3.
        assertThat(figures.macroAuc()).isEqualTo(0.5);
        assertThat(figures.oneSided()).isEqualTo(2);
        assertThat(figures.labels()).isEqualTo(3);
        assertThat(scores.accuracy()).isEmpty();
        assertThat(scores.binary()).isEmpty();
    }

    @Test
    void shouldHaveNoAreaWhereNoLabelIsOfBothKinds() {
        LabelFigures figures =
                scores(new float[][] {{1, -1}}, new float[][] {{1, 0}}).labels().orElseThrow();

        assertThat(figures).isEqualTo(new LabelFigures(1, 0.5, 1, 0, null, 2, 2));
    }

    /** Log-odds of a thousand overflow no exponential. */
    @Test
    void shouldHaveTheMeanOfTheLabelsLosses() {
        assertThat(scores(new float[][] {{1000, -1000, 0}}, new float[][] {{1, 1, 0}})
                        .meanLoss())
                .isCloseTo((0 + 1000 + Math.log(2)) / 3, within(1e-12));
    }

    @Test
    void shouldDescribeEachOfFewLabelsAndTheWorstOfMany() {
        LabelDetails few =
                Objects.requireNonNull(scores(new float[][] {{2, -1}, {-1, -3}}, new float[][] {{1, 1}, {0, 1}})
                        .details()
                        .labels());
        assertThat(few.total()).isEqualTo(2);
        assertThat(few.labels()).extracting(OneLabel::name).containsExactly("label 0", "label 1");
        assertThat(few.labels()).extracting(OneLabel::samples).containsExactly(1L, 2L);
        assertThat(few.labels().get(0).roc()).isNotNull();
        assertThat(few.labels().get(1).roc()).isNull();
        float[][] logits = new float[2][150];
        float[][] labels = new float[2][150];
        for (int label = 0; label < 150; label++) {
            labels[0][label] = 1;
            // Only the labels from 60 on are found.
            logits[0][label] = label < 60 ? -1 : 1;
            logits[1][label] = -1;
        }

        LabelDetails many =
                Objects.requireNonNull(scores(logits, labels).details().labels());

        assertThat(many.total()).isEqualTo(150);
        assertThat(many.labels()).hasSize(LabelDetails.MOST_LABELS);
        assertThat(many.labels().subList(0, 60))
                .allSatisfy(one -> assertThat(one.figures().f1()).isZero());
        assertThat(many.labels()).allSatisfy(one -> assertThat(one.roc()).isNull());
    }

    /** The last label is of one kind only, and one before is never predicted. */
    @Tag("whole")
    @Test
    void shouldAgreeWithScikitLearn() {
        Random random = new Random(7);
        float[][] logits = new float[300][5];
        float[][] labels = new float[300][5];
        for (int row = 0; row < 300; row++) {
            for (int label = 0; label < 5; label++) {
                labels[row][label] = label < 4 && random.nextInt(2 + label) == 0 ? 1 : 0;
                float logit = (float) (labels[row][label] - 0.5 + random.nextGaussian());
                logits[row][label] = label == 3 ? logit - 50 : Math.round(4 * logit) / 4f;
            }
        }
        JsonNode theirs = JsonMapper.shared()
                .readTree(Python.runWithScikitLearn(
                        SCIKIT_LEARN,
                        JsonMapper.shared().writeValueAsString(logits),
                        JsonMapper.shared().writeValueAsString(labels)));
        Scores scores = scores(logits, labels);

        LabelFigures ours = scores.labels().orElseThrow();

        assertThat(ours.microF1()).isCloseTo(theirs.path("micro").asDouble(), within(1e-12));
        assertThat(ours.macroF1()).isCloseTo(theirs.path("macro").asDouble(), within(1e-12));
        assertThat(ours.exactMatch()).isCloseTo(theirs.path("exact").asDouble(), within(1e-12));
        assertThat(ours.hammingLoss()).isCloseTo(theirs.path("hamming").asDouble(), within(1e-12));
        assertThat(ours.macroAuc()).isCloseTo(theirs.path("auc").asDouble(), within(1e-12));
        assertThat(ours.oneSided()).isEqualTo(1);
        assertThat(scores.meanLoss()).isCloseTo(theirs.path("loss").asDouble(), within(1e-7));
        List<OneLabel> each = Objects.requireNonNull(scores.details().labels()).labels();
        for (int label = 0; label < 5; label++) {
            assertThat(each.get(label).figures().precision())
                    .isCloseTo(theirs.path("precision").get(label).asDouble(), within(1e-12));
            assertThat(each.get(label).figures().recall())
                    .isCloseTo(theirs.path("recall").get(label).asDouble(), within(1e-12));
        }
    }
}
