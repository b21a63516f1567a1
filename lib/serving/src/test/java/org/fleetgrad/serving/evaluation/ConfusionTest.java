package org.fleetgrad.serving.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import org.fleetgrad.datasets.ClassNames;
import org.fleetgrad.networks.Task;
import org.fleetgrad.networks.Task.ImageClassification;
import org.fleetgrad.networks.Task.LanguageModel;
import org.fleetgrad.protocol.messages.ClassDetails;
import org.fleetgrad.protocol.messages.ClassDetails.ClassFigures;
import org.fleetgrad.protocol.messages.EvaluationDetails;
import org.fleetgrad.testing.Python;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ConfusionTest {

    private static final String SCIKIT_LEARN = """
            import json, sys
            from sklearn.metrics import confusion_matrix, f1_score, precision_recall_fscore_support
            labels, found = json.loads(sys.argv[1]), json.loads(sys.argv[2])
            each = precision_recall_fscore_support(labels, found, labels=range(6), zero_division=0)
            print(json.dumps({
                "confusion": confusion_matrix(labels, found, labels=range(6)).tolist(),
                "macroF1": f1_score(labels, found, average="macro", zero_division=0),
                "figures": [list(map(float, row)) for row in zip(*each)],
            }))
            """;

    private static Scores scores(Task task, List<String> names, int[] labels, int[] found) {
        Scores scores = Scores.of(task, task.classes(), new HeldOutTargets(labels.length, names, Optional.empty()));
        for (int i = 0; i < labels.length; i++) {
            float[] logits = new float[task.classes()];
            logits[found[i]] = 1;
            scores.add(logits, 0, new float[] {labels[i]}, 0);
        }
        return scores;
    }

    private static ClassDetails details(int classes, int[] labels, int[] found) {
        Task task = new ImageClassification(List.of(1, 1, 1), classes);
        EvaluationDetails details =
                scores(task, ClassNames.numbers(classes), labels, found).details();
        return Objects.requireNonNull(details.classes());
    }

    /** Nobody is of class 3 or predicted as it: it has no part in the mean. */
    @Test
    void shouldCountWhichClassIsTakenForWhich() {
        ClassDetails details = details(4, new int[] {0, 0, 0, 1, 2}, new int[] {0, 0, 1, 1, 0});

        assertThat(details.confusion())
                .containsExactly(
                        List.of(2L, 1L, 0L, 0L),
                        List.of(0L, 1L, 0L, 0L),
                        List.of(1L, 0L, 0L, 0L),
                        List.of(0L, 0L, 0L, 0L));
        assertThat(details.figures().get(0)).isEqualTo(new ClassFigures("0", 3, 2 / 3.0, 2 / 3.0, 2 / 3.0));
        assertThat(details.figures().get(1)).isEqualTo(new ClassFigures("1", 1, 0.5, 1, 2 / 3.0));
        assertThat(details.figures().get(2)).isEqualTo(new ClassFigures("2", 1, 0, 0, 0));
        assertThat(details.macroF1()).isCloseTo((2 / 3.0 + 2 / 3.0 + 0) / 3, within(1e-12));
        assertThat(details.worst(2)).extracting(ClassFigures::name).containsExactly("2", "0");
    }

    /** Of equal logits the first class is the prediction, as for the accuracy. */
    @Test
    void shouldHaveTheAccuracyOnItsDiagonal() {
        Task task = new ImageClassification(List.of(1, 1, 1), 3);
        Scores scores = Scores.of(task, 3, new HeldOutTargets(3, List.of("a", "b", "c"), Optional.empty()));
        float[] labels = {0, 1, 1};
        scores.add(new float[] {1, 1, 1}, 0, labels, 0);
        scores.add(new float[] {1, 1, 1}, 0, labels, 1);
        scores.add(new float[] {0, 2, 2}, 0, labels, 2);

        assertThat(Objects.requireNonNull(scores.details().classes()).confusion())
                .containsExactly(List.of(1L, 0L, 0L), List.of(1L, 1L, 0L), List.of(0L, 0L, 0L));
        assertThat(scores.accuracy()).contains(2 / 3.0);
    }

    @Test
    void shouldBeBoundedAndNotBeOfTokens() {
        Task many = new ImageClassification(List.of(1, 1, 1), ClassDetails.MOST_CLASSES + 1);
        int[] one = {1};

        assertThat(scores(many, ClassNames.numbers(many.classes()), one, one).details())
                .isEqualTo(EvaluationDetails.NONE);
        assertThat(scores(new LanguageModel(4, 7), List.of(), one, one).details())
                .isEqualTo(EvaluationDetails.NONE);
        assertThat(details(ClassDetails.MOST_CLASSES, one, one).figures()).hasSize(ClassDetails.MOST_CLASSES);
    }

    /** Of six classes, the last has no sample and the one before it is never predicted. */
    @Tag("whole")
    @Test
    void shouldSayWhatScikitLearnSays() {
        Random random = new Random(9);
        int[] labels = random.ints(500, 0, 5).toArray();
        int[] found = Arrays.stream(labels)
                .map(label -> random.nextInt(3) > 0 && label != 4 ? label : random.nextInt(4))
                .toArray();
        JsonNode theirs = JsonMapper.shared()
                .readTree(Python.runWithScikitLearn(SCIKIT_LEARN, Arrays.toString(labels), Arrays.toString(found)));

        ClassDetails ours = details(6, labels, found);

        assertThat(ours.macroF1()).isCloseTo(theirs.path("macroF1").asDouble(), within(1e-12));
        for (int i = 0; i < 6; i++) {
            JsonNode figures = theirs.path("figures").path(i);
            assertThat(ours.confusion().get(i))
                    .isEqualTo(theirs.path("confusion")
                            .path(i)
                            .valueStream()
                            .map(JsonNode::asLong)
                            .toList());
            assertThat(ours.figures().get(i).precision())
                    .isCloseTo(figures.path(0).asDouble(), within(1e-12));
            assertThat(ours.figures().get(i).recall()).isCloseTo(figures.path(1).asDouble(), within(1e-12));
            assertThat(ours.figures().get(i).f1()).isCloseTo(figures.path(2).asDouble(), within(1e-12));
            assertThat(ours.figures().get(i).samples())
                    .isEqualTo(figures.path(3).asLong());
        }
    }
}
