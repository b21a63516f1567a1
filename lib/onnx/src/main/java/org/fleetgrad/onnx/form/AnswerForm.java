package org.fleetgrad.onnx.form;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.fleetgrad.datasets.RowSchema;
import org.fleetgrad.datasets.table.TableTarget.NumberTarget;
import org.fleetgrad.networks.Task;
import org.fleetgrad.onnx.file.Attributes;
import org.fleetgrad.onnx.file.ElementType;
import org.fleetgrad.onnx.file.OnnxGraph;
import org.fleetgrad.onnx.file.ValueInfo;

/**
 * What a model answers: logits, or a number in the units of its column. Immutable.
 *
 * @param task   of the network
 * @param number what the number means, if one is predicted and the dataset is known
 */
public record AnswerForm(Task task, Optional<NumberTarget> number) {

    /** The answer of a network that was trained on rows of {@code schema}, if it was. */
    public static AnswerForm of(Task task, Optional<RowSchema> schema) {
        return new AnswerForm(
                task,
                schema.map(RowSchema::target)
                        .filter(NumberTarget.class::isInstance)
                        .map(NumberTarget.class::cast));
    }

    /** Adds the last nodes and the output. */
    public void add(OnnxGraph graph, String logits) {
        ValueInfo output = output();
        if (number.isEmpty()) {
            graph.output(logits, output);
            return;
        }
        String one = graph.add("Squeeze", Attributes.none(), logits, graph.integers(1));
        String exact = graph.add("Cast", Attributes.none().with("to", ElementType.FLOAT64.number()), one);
        double std = number.get().std();
        double mean = number.get().mean();
        String scaled = graph.add("Mul", Attributes.none(), exact, graph.doubles(List.of(), std));
        graph.output(graph.add("Add", Attributes.none(), scaled, graph.doubles(List.of(), mean)), output);
    }

    private ValueInfo output() {
        if (number.isPresent()) {
            return new ValueInfo(
                    "prediction",
                    ElementType.FLOAT64,
                    List.of(SampleForm.SAMPLES),
                    "'%s' in its own units".formatted(number.get().name()));
        }
        List<String> sides = new ArrayList<>(List.of(SampleForm.SAMPLES));
        if (task.output().size() > 1) {
            sides.add(TokenForm.TOKENS);
        }
        sides.add(Integer.toString(task.classes()));
        return new ValueInfo("logits", ElementType.FLOAT32, sides, "logits: their softmax, or of labels their sigmoid");
    }

    /** Returns an answer as the network's output: numbers in standard deviations from the mean. */
    public double[] outputs(double[] answers) {
        if (number.isEmpty()) {
            return answers.clone();
        }
        double[] outputs = new double[answers.length];
        for (int i = 0; i < outputs.length; i++) {
            outputs[i] = (answers[i] - number.get().mean()) / number.get().std();
        }
        return outputs;
    }
}
