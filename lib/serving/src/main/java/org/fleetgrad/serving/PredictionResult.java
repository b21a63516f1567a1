package org.fleetgrad.serving;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.fleetgrad.datasets.RowSchema;
import org.fleetgrad.datasets.table.TableTarget;
import org.fleetgrad.datasets.table.TableTarget.NumberTarget;
import org.fleetgrad.networks.Question.Labels;
import org.fleetgrad.networks.Question.Regression;
import org.fleetgrad.networks.Sigmoid;
import org.fleetgrad.networks.Softmax;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.serving.tables.UnknownCategory;
import org.jspecify.annotations.Nullable;

/**
 * The request was computed: the output of one version for its images.
 *
 * @param version     the version that computed the output
 * @param network     its network
 * @param description the meaning of its outputs
 * @param count       number of images
 * @param logits      [count, outputs], as the network computed them
 * @param unknown     categories of the rows that the model does not have
 */
public record PredictionResult(
        ParameterVersion version,
        ServedNetwork network,
        ModelDescription description,
        int count,
        float[] logits,
        List<UnknownCategory> unknown)
        implements PredictionOutcome {

    /**
     * Returns the probabilities of the classes, [count, outputs]: the softmax of each image's logits; of labels those of yes, the sigmoid of
     * each.
     */
    public float[] probabilities() {
        if (network.task().question() instanceof Labels) {
            return Sigmoid.probabilities(logits);
        }
        int outputs = network.outputs();
        float[] all = new float[logits.length];
        for (int i = 0; i < count; i++) {
            System.arraycopy(Softmax.probabilities(ofImage(i)), 0, all, i * outputs, outputs);
        }
        return all;
    }

    /** The result for one sample, in the response of every {@code POST /predict}. */
    public sealed interface Prediction permits Scores, Amount, LabelAnswers {}

    /**
     * A number.
     *
     * @param target name of the column, or of the array, that it is of, if it is known
     * @param value  in the units of the target
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Amount(@Nullable String target, double value) implements Prediction {}

    /**
     * Several labels, each of them yes or no whatever the others are.
     *
     * @param labels by their names, in the order of the network's outputs
     */
    public record LabelAnswers(Map<String, LabelAnswer> labels) implements Prediction {}

    /**
     * One of several labels.
     *
     * @param probability of yes
     * @param yes         whether it is above one half
     */
    public record LabelAnswer(float probability, boolean yes) {}

    /**
     * One class.
     *
     * @param label         name of the most probable class
     * @param index         number of the most probable class
     * @param probabilities of each class; they sum to 1
     */
    public record Scores(
            String label, @JsonProperty("class") int index, List<Float> probabilities) implements Prediction {}

    /** Returns the most probable class of each image, in order, with all probabilities. */
    public List<Scores> scores() {
        List<Scores> images = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            images.add(scores(Softmax.probabilities(ofImage(i))));
        }
        return images;
    }

    /** Returns the result of each sample, in order: its most probable class, its labels, or its number. */
    public List<? extends Prediction> predictions() {
        if (network.task().question() instanceof Labels) {
            return labelAnswers();
        }
        if (!(network.task().question() instanceof Regression)) {
            return scores();
        }
        @Nullable
        String target =
                description.rows().map(RowSchema::target).map(TableTarget::name).orElse(null);
        return Arrays.stream(amounts())
                .mapToObj(value -> new Amount(target, value))
                .toList();
    }

    private List<LabelAnswers> labelAnswers() {
        float[] probabilities = probabilities();
        int labels = network.outputs();
        List<LabelAnswers> rows = new ArrayList<>(count);
        for (int row = 0; row < count; row++) {
            Map<String, LabelAnswer> answers = new LinkedHashMap<>();
            for (int label = 0; label < labels; label++) {
                int at = row * labels + label;
                // The logit itself: a probability just above one half may be rounded to it.
                answers.put(description.classes().get(label), new LabelAnswer(probabilities[at], logits[at] > 0));
            }
            rows.add(new LabelAnswers(answers));
        }
        return rows;
    }

    /** Returns the predicted number of each sample, in order, in the units of its column. */
    public double[] amounts() {
        Optional<TableTarget> target = description.rows().map(RowSchema::target);
        double[] amounts = new double[logits.length];
        for (int i = 0; i < amounts.length; i++) {
            amounts[i] = target.isPresent() && target.get() instanceof NumberTarget number
                    ? number.inUnits(logits[i])
                    : logits[i];
        }
        return amounts;
    }

    private float[] ofImage(int image) {
        return Arrays.copyOfRange(logits, image * network.outputs(), (image + 1) * network.outputs());
    }

    private Scores scores(float[] probabilities) {
        int best = 0;
        for (int i = 1; i < probabilities.length; i++) {
            if (probabilities[i] > probabilities[best]) {
                best = i;
            }
        }
        List<Float> list = IntStream.range(0, probabilities.length)
                .mapToObj(i -> probabilities[i])
                .toList();
        return new Scores(description.classes().get(best), best, list);
    }
}
